package dev.oriel.ibverbs.run;

import dev.oriel.domain.program.Atomic;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.verbs.HostMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Words of a rank's own memory that count completed requests; no lane waits for these. */
final class CompletionCounts {
  private record Pending(SendQueue queue, long number, long place) {}

  private final HostMemory memory;
  private final List<Pending> pending = new ArrayList<>();

  CompletionCounts(HostMemory memory) {
    this.memory = memory;
  }

  /**
   * Adds 1 to the word at that place once all requests of the queue up to that one have completed.
   */
  void after(SendQueue queue, long number, long place) {
    pending.add(new Pending(queue, number, place));
  }

  /** Counts completed requests; returns whether there were any. */
  boolean progress() {
    boolean any = false;
    Iterator<Pending> all = pending.iterator();
    while (all.hasNext()) {
      Pending next = all.next();
      if (next.queue().ended(next.number())) {
        // Removed before the word is changed: whatever fails after that, no request counts twice.
        all.remove();
        long ignored = memory.change(next.place(), Atomic.ADD, 1, 0);
        any = true;
      } else {
        next.queue().report();
      }
    }
    return any;
  }

  /** Whether there is nothing more to count. */
  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Drops the pending counts: requests under way will never complete. */
  void forget() {
    pending.clear();
  }
}
