package dev.oriel.sim.litmus.answer;

/**
 * How much more a search may do, counted in choices of a small test, and how many more bytes it may
 * keep; once one of the two is spent it stays spent.
 */
public final class SearchBudget {
  /** Of the heap: several searches of one test keep what they found, beside those that look on. */
  private static final long SHARE = 8;

  private long left;
  private long room;
  private boolean full;

  /** So many choices, in as much memory as the heap can spare. */
  public SearchBudget(long steps) {
    this(steps, Runtime.getRuntime().maxMemory() / SHARE);
  }

  public SearchBudget(long steps, long memory) {
    left = steps;
    room = memory;
  }

  /** Takes one step; false when there is none. */
  public boolean spend() {
    return spend(1);
  }

  /** Takes the steps that a larger piece of work is worth; false when none was left. */
  public boolean spend(int steps) {
    boolean some = !spent();
    left -= steps;
    return some;
  }

  /** So many bytes are kept from now on; a negative number are not any more. */
  public void keep(long bytes) {
    room -= bytes;
    full |= room < 0;
  }

  public boolean spent() {
    return left <= 0 || full;
  }

  /** Whether it was memory that was spent. */
  public boolean full() {
    return full;
  }
}
