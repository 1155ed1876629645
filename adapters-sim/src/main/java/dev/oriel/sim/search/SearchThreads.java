package dev.oriel.sim.search;

import java.util.concurrent.Executor;

/**
 * The threads that a search of every order of every step may use. The verdict is that of one
 * thread, whatever their number; only the time differs.
 *
 * @param count how many threads search at once; the caller's is one of them
 * @param executor runs the others, each until the search ends. An executor with fewer threads, or
 *     none, only takes longer
 */
public record SearchThreads(int count, Executor executor) {
  /** The most threads. */
  public static final int MAX = 256;

  /** The caller's thread alone. */
  public static final SearchThreads ONE = new SearchThreads(1, Runnable::run);

  public SearchThreads {
    if (count < 1 || count > MAX) {
      throw new IllegalArgumentException(
          "number of threads out of range: threads=%d, max=%d; use 1 to %d"
              .formatted(count, MAX, MAX));
    }
  }
}
