package dev.oriel.sim.litmus.answer;

/**
 * The remaining work of a search, counted in choices of a small test, and the bytes that it may
 * still retain. Once one of the two is spent it stays spent.
 */
public final class SearchBudget {
  /** The part of the heap: the searches of one test retain their results while later ones run. */
  private static final long SHARE = 8;

  private long left;
  private long room;
  private boolean full;

  /** That many choices, and the memory that the heap can spare. */
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

  /** Takes that many steps for a larger piece of work; false if none was left. */
  public boolean spend(int steps) {
    boolean some = !spent();
    left -= steps;
    return some;
  }

  /** Counts that many bytes as retained; a negative number releases them. */
  public void keep(long bytes) {
    room -= bytes;
    full |= room < 0;
  }

  public boolean spent() {
    return left <= 0 || full;
  }

  /** Whether memory ran out. */
  public boolean full() {
    return full;
  }
}
