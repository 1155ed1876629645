package dev.oriel.sim.search;

/**
 * Where a search stops, in executions and states, never in time.
 *
 * @param executions for each strategy that samples
 * @param states for each strategy that visits all
 * @param steps of one execution
 * @param work words of states that are kept and compared: some billions take some seconds
 * @param memory bytes that a strategy that visits all may take at once: for the states that it goes
 *     back to, and for what tells those apart that it has seen
 */
public record Budget(long executions, long states, long steps, long work, long memory) {
  /** Of the heap: a search that shrinks what another one found holds states of both. */
  private static final long SHARE = 3;

  /** Some seconds of work for a small program. */
  public static final Budget DEFAULT = new Budget(100, 1_000_000, 5_000_000, 500_000_000);

  /** What each of many searches may take that go on where a first one found nothing. */
  Budget quick() {
    return new Budget(
        Math.min(executions, 10),
        Math.min(states, 3_000),
        steps,
        Math.min(work, 5_000_000),
        memory);
  }

  /** As much memory as a machine's heap can spare. */
  public Budget(long executions, long states, long steps, long work) {
    this(executions, states, steps, work, Runtime.getRuntime().maxMemory() / SHARE);
  }
}
