package dev.oriel.sim.search;

/** How executions are chosen. */
public enum Strategy {
  /** All others but {@link #FULL}, one after another: what each found is said. */
  PORTFOLIO,
  /** One execution, always the first agent that can go on. */
  FIFO,
  /** Any enabled agent. */
  RANDOM,
  /** Random priorities with few changes, for each number of changes from 0 to 3. */
  PCT,
  /** Random priorities of steps. */
  POS,
  /** Any step that is due soon, by what steps take on real links. */
  WINDOW,
  /** Every way in which synchronisation can go. */
  SYNCHRONISATION,
  /** Every order of every step. */
  FULL;

  /** Whether it goes through all that the model allows. */
  public boolean visitsAll() {
    return this == SYNCHRONISATION || this == FULL;
  }

  /** How the command and verdicts write it. */
  public String spelling() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
