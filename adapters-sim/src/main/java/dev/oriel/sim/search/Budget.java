package dev.oriel.sim.search;

/**
 * Where a search stops, in executions and states, never in time.
 *
 * @param executions for each strategy that samples
 * @param states for each strategy that visits all
 * @param steps of one execution
 * @param work words of states that are kept and compared: some billions take some seconds
 */
public record Budget(long executions, long states, long steps, long work) {
  /** Some seconds of work for a small program. */
  public static final Budget DEFAULT = new Budget(100, 1_000_000, 5_000_000, 500_000_000);
}
