package dev.oriel.sim.search;

/**
 * The bounds of a search, in executions and states, never in time.
 *
 * @param executions for each strategy that samples
 * @param states for each strategy that explores everything
 * @param steps of one execution
 * @param work words of states that are stored and compared: some billions take some seconds
 * @param memory the most bytes that a strategy that explores everything may use: for the states to
 *     which it backtracks, and for the fingerprints of visited states
 */
public record Budget(long executions, long states, long steps, long work, long memory) {
  /** The part of the heap: a search that shrinks another search's failure holds states of both. */
  private static final long SHARE = 3;

  /** Some seconds of work for a small program. */
  public static final Budget DEFAULT = new Budget(100, 1_000_000, 5_000_000, 500_000_000);

  /** The budget of each of many further searches after a first one that found nothing. */
  Budget quick() {
    return new Budget(
        Math.min(executions, 10),
        Math.min(states, 3_000),
        steps,
        Math.min(work, 5_000_000),
        memory);
  }

  /** The same budget with at least that much work. */
  Budget working(long least) {
    return new Budget(executions, states, steps, Math.max(work, least), memory);
  }

  /** Uses as much memory as the machine's heap can spare. */
  public Budget(long executions, long states, long steps, long work) {
    this(executions, states, steps, work, Runtime.getRuntime().maxMemory() / SHARE);
  }
}
