package dev.oriel.sim.litmus.steps;

import dev.oriel.sim.litmus.test.LitmusScope;
import dev.oriel.sim.litmus.test.MemoryOrder;
import dev.oriel.sim.litmus.test.ThreadPlacement;

/** The thread that performs an operation, with the operation's order and scope. */
record OperationIssuer(int thread, ThreadPlacement place, MemoryOrder order, LitmusScope scope) {

  /**
   * Whether both are strong and include each other in scope; within one thread, program order
   * suffices.
   */
  boolean strongWith(OperationIssuer other) {
    return order.strong()
        && other.order.strong()
        && place.shares(scope, other.place)
        && place.shares(other.scope, other.place);
  }
}
