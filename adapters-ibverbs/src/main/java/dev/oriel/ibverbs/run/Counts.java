package dev.oriel.ibverbs.run;

import dev.oriel.domain.program.Atomic;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.verbs.HostMemory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Words of a rank's own memory that grow by 1 when requests have ended which nobody waits for. */
final class Counts {
  private record Pending(SendQueue queue, long number, long place) {}

  private final HostMemory memory;
  private final List<Pending> pending = new ArrayList<>();

  Counts(HostMemory memory) {
    this.memory = memory;
  }

  /** Counts in the word at that place once all up to that request of the queue have ended. */
  void after(SendQueue queue, long number, long place) {
    pending.add(new Pending(queue, number, place));
  }

  /** Counts what has ended; returns whether anything had. */
  boolean progress() {
    boolean any = false;
    Iterator<Pending> all = pending.iterator();
    while (all.hasNext()) {
      Pending next = all.next();
      if (next.queue().ended(next.number())) {
        // Removed first, and by itself: whatever fails behind it, nothing counts twice.
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

  /** What was under way never ends. */
  void forget() {
    pending.clear();
  }
}
