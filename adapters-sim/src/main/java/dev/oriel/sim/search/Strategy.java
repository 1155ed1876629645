package dev.oriel.sim.search;

/** How executions are chosen. */
public enum Strategy {
  /** All others but {@link #FULL}, one after another; the report has the result of each. */
  PORTFOLIO,
  /** One execution, always with the first enabled agent. */
  FIFO,
  /** Any enabled agent. */
  RANDOM,
  /** Random priorities with few changes, for each number of changes from 0 to 3. */
  PCT,
  /** Random priorities of steps. */
  POS,
  /** Any step that is due soon, by the durations of steps on real links. */
  WINDOW,
  /** Every order of synchronisation. */
  SYNCHRONISATION,
  /** Every order of every step. */
  FULL;

  /** Whether it explores everything that the model allows. */
  public boolean visitsAll() {
    return this == SYNCHRONISATION || this == FULL;
  }

  /** How the command and verdicts write it. */
  public String spelling() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
