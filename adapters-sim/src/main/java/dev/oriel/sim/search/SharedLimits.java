package dev.oriel.sim.search;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The limits of a search, which all its threads reach together. */
final class SharedLimits {
  private final Budget budget;
  private final BooleanSupplier over;
  private final SharedStates seen;

  /** What each thread last reported: bytes of its own, and its work. */
  private final AtomicLongArray bytes;

  private final AtomicLongArray work;

  SharedLimits(Budget budget, BooleanSupplier over, SharedStates seen, int threads) {
    this.budget = budget;
    this.over = over;
    this.seen = seen;
    bytes = new AtomicLongArray(threads);
    work = new AtomicLongArray(threads);
  }

  /** The most steps of one execution. */
  long steps() {
    return budget.steps();
  }

  /**
   * A thread reports what it uses and did; the first limit that is reached, or null. Each thread
   * reports after its last state, so the last report is exact.
   */
  @Nullable SearchLimit report(int thread, long itsBytes, long itsWork) {
    bytes.set(thread, itsBytes);
    work.set(thread, itsWork);
    if (over.getAsBoolean()) {
      return SearchLimit.TIME;
    }
    if (seen.footprint() + sum(bytes) > budget.memory()) {
      return SearchLimit.MEMORY;
    }
    // One thread stops at its next step once it has as many, so as many are a limit even if there
    // are no more.
    if (seen.count() >= budget.states()) {
      return SearchLimit.STATES;
    }
    return sum(work) > budget.work() ? SearchLimit.WORK : null;
  }

  private static long sum(AtomicLongArray of) {
    long sum = 0;
    for (int i = 0; i < of.length(); i++) {
      sum += of.get(i);
    }
    return sum;
  }
}
