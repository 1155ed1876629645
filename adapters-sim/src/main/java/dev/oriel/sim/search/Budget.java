package dev.oriel.sim.search;

/**
 * The bounds of a search, in executions and states, and in time only if the user asks for it.
 *
 * @param executions for each strategy that samples
 * @param states for each strategy that explores everything
 * @param steps of one execution
 * @param work words of states that are stored and compared: some billions take some seconds
 * @param memory the most bytes that a strategy that explores everything may use: for the states to
 *     which it backtracks, and for the fingerprints of visited states
 * @param time the most time that a strategy that explores everything may take
 */
public record Budget(
    long executions, long states, long steps, long work, long memory, TimeLimit time) {
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
        memory,
        time);
  }

  /** The same budget with at least that much work. */
  Budget working(long least) {
    return new Budget(executions, states, steps, Math.max(work, least), memory, time);
  }

  /** The same budget with at most so many states. */
  Budget reaching(long most) {
    return new Budget(executions, Math.min(states, most), steps, work, memory, time);
  }

  /** The same budget with that time. */
  public Budget within(TimeLimit limit) {
    return new Budget(executions, states, steps, work, memory, limit);
  }

  /** A budget without a limit of time. */
  public Budget(long executions, long states, long steps, long work, long memory) {
    this(executions, states, steps, work, memory, TimeLimit.NONE);
  }

  /** Uses as much memory as the machine's heap can spare. */
  public Budget(long executions, long states, long steps, long work) {
    this(executions, states, steps, work, Runtime.getRuntime().maxMemory() / SHARE);
  }
}
