package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.Placement;

/** Who performs an operation, and how strongly. */
record Actor(int thread, Placement place, MemoryOrder order, LitmusScope scope) {

  /** Of one thread, or both strong and within each other's scope. */
  boolean strongWith(Actor other) {
    return thread == other.thread
        || (order.strong()
            && other.order.strong()
            && place.shares(scope, other.place)
            && place.shares(other.scope, other.place));
  }
}
