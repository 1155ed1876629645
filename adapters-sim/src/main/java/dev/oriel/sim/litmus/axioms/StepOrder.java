package dev.oriel.sim.litmus.axioms;

import static dev.oriel.sim.litmus.answer.EventRelations.bit;
import static dev.oriel.sim.litmus.answer.EventRelations.lowest;

import dev.oriel.sim.litmus.answer.EventRelations;
import dev.oriel.sim.litmus.path.PathEvent;

/**
 * Decides whether an execution can run step by step: program order, sources before their reads, the
 * order of sc fences, and barrier arrivals before exits have no common cycle. This is no axiom;
 * executions without such an order are possible, too. It marks the executions that an engine finds
 * which performs one access after another. A posted update is issued in program order, and
 * performed before the next release, fence, barrier or access to its memory.
 */
final class StepOrder {
  private final ExecutionGraph graph;
  private final long[] issued;
  private final long[] scratch;

  StepOrder(ExecutionGraph graph) {
    this.graph = graph;
    issued = new long[graph.size];
    scratch = new long[graph.size];
    for (int event = 0; event < graph.size; event++) {
      issued[event] = graph.events[event].posted() ? afterPosted(event) : graph.programOrder[event];
    }
  }

  private long afterPosted(int event) {
    int partner = graph.partner[event];
    long after = graph.programOrder[event];
    long kept = after & bit(partner);
    for (long rest = after & ~bit(partner); rest != 0; rest &= rest - 1) {
      int other = lowest(rest);
      if (drains(other, event)) {
        return kept | bit(other) | graph.programOrder[other];
      }
    }
    return kept;
  }

  private boolean drains(int other, int posted) {
    PathEvent event = graph.events[other];
    int half = event.kind() == PathEvent.Kind.READ ? graph.partner[other] : -1;
    return !event.memory()
        || graph.memory[other] == graph.memory[posted]
        || (event.kind() == PathEvent.Kind.WRITE && event.order().releases())
        || (half >= 0 && graph.events[half].order().releases());
  }

  /** Whether these choices permit an order of steps. */
  boolean allow(int[] source, long[] scOrder, long[] barrierOrder) {
    for (int event = 0; event < graph.size; event++) {
      scratch[event] = issued[event] | scOrder[event];
      for (long rest = barrierOrder[event]; rest != 0; rest &= rest - 1) {
        scratch[event] |= graph.programOrder[lowest(rest)];
      }
    }
    for (long rest = graph.reads; rest != 0; rest &= rest - 1) {
      int read = lowest(rest);
      scratch[source[read]] |= bit(read);
    }
    return EventRelations.acyclic(scratch);
  }
}
