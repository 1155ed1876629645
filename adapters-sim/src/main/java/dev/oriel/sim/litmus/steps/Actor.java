package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.Placement;

/** Who performs an operation, and how strongly. */
record Actor(int thread, Placement place, MemoryOrder order, LitmusScope scope) {

  /** Both strong and within each other's scope; of one thread, program order says as much. */
  boolean strongWith(Actor other) {
    return order.strong()
        && other.order.strong()
        && place.shares(scope, other.place)
        && place.shares(other.scope, other.place);
  }
}
