package dev.oriel.sim.search;

import java.util.concurrent.atomic.LongAdder;

/**
 * The fingerprints that the threads of one search have visited. Each is new to exactly one thread,
 * which explores the state. A fingerprint belongs to one of a few sets by its first bits, and only
 * one thread at a time uses a set.
 */
final class SharedStates {
  private static final int BITS = 6;

  private final VisitedStates[] sets = new VisitedStates[1 << BITS];
  private final LongAdder count = new LongAdder();
  private final LongAdder footprint = new LongAdder();

  SharedStates() {
    for (int i = 0; i < sets.length; i++) {
      sets[i] = new VisitedStates(Long.MAX_VALUE);
    }
  }

  /** Adds the fingerprint; true if it is new. */
  boolean add(long high, long low) {
    VisitedStates set = sets[(int) (high >>> (Long.SIZE - BITS))];
    synchronized (set) {
      long before = set.footprint();
      boolean fresh = set.add(high, low);
      if (fresh) {
        count.increment();
        long more = set.footprint() - before;
        if (more != 0) {
          footprint.add(more);
        }
      }
      return fresh;
    }
  }

  /** How many were added; exact once no thread adds any more. */
  long count() {
    return count.sum();
  }

  /** Bytes in use while each set grows. */
  long footprint() {
    return footprint.sum();
  }
}
