package dev.oriel.sim.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** Threads that add the same fingerprints to one set at once, in orders of their own. */
public final class SharedStatesComparison implements UnaryOperator<String> {
  private static final int THREADS = 3;

  /** The argument is a number of fingerprints; the result is the difference, or empty. */
  @Override
  public String apply(String fingerprints) {
    try {
      return compare(Integer.parseInt(fingerprints));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String compare(int count) throws InterruptedException {
    SharedStates seen = new SharedStates();
    AtomicLong fresh = new AtomicLong();
    AtomicLong ended = new AtomicLong();
    CountDownLatch start = new CountDownLatch(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int from = t * count / THREADS;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                start.countDown();
                while (start.getCount() > 0) {
                  Thread.onSpinWait();
                }
                long mine = 0;
                for (int i = 0; i < count; i++) {
                  mine += add(seen, (from + i) % count) ? 1 : 0;
                }
                fresh.addAndGet(mine);
                ended.incrementAndGet();
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    VisitedStates one = new VisitedStates(Long.MAX_VALUE);
    for (int i = 0; i < count; i++) {
      add(one, i);
    }
    boolean same =
        ended.get() == THREADS
            && fresh.get() == one.count()
            && seen.count() == one.count()
            && seen.footprint() > 16 * one.count();
    return same
        ? ""
        : "ended=%d, new=%d, count=%d, footprint=%d, wanted=%d"
            .formatted(ended.get(), fresh.get(), seen.count(), seen.footprint(), one.count());
  }

  /** Fingerprints with few different first bits, so that threads meet in the same sets. */
  private static boolean add(SharedStates seen, int i) {
    Random random = new Random(i);
    return seen.add(random.nextLong() & (-1L >>> 2), random.nextLong());
  }

  private static boolean add(VisitedStates seen, int i) {
    Random random = new Random(i);
    return seen.add(random.nextLong() & (-1L >>> 2), random.nextLong());
  }
}
