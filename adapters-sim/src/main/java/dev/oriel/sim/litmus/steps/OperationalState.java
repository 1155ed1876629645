package dev.oriel.sim.litmus.steps;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A state of the operational engine: its agents, the memory's history, the arrivals at barriers.
 */
final class OperationalState {
  final ThreadState[] agents;
  AccessHistory history;
  final BarrierArrivals meetings;

  OperationalState(ThreadState[] agents, AccessHistory history, BarrierArrivals meetings) {
    this.agents = agents;
    this.history = history;
    this.meetings = meetings;
  }

  /** A copy in which one agent may be changed; the others are shared. */
  OperationalState copy(int thread) {
    ThreadState[] copies = agents.clone();
    copies[thread] = agents[thread].copy();
    return new OperationalState(copies, history.copy(), meetings.copy());
  }

  /** The same moment with another history, and an agent of its own again. */
  OperationalState with(AccessHistory other, int thread) {
    OperationalState copy = copy(thread);
    copy.history = other;
    return copy;
  }

  ByteBuffer key() {
    StateKeyWriter key = new StateKeyWriter();
    for (ThreadState agent : agents) {
      describe(agent, key);
    }
    history.describe(key);
    meetings.describe(key);
    return key.key();
  }

  private static void describe(ThreadState agent, StateKeyWriter key) {
    key.number(agent.at);
    key.number(agent.accesses);
    key.number(agent.waiting == null ? 0 : 1);
    key.list(List.copyOf(agent.registers.values()), key::number);
    key.list(List.copyOf(agent.registers.keySet()), r -> key.number(agent.fed.contains(r) ? 1 : 0));
    key.knowledge(agent.known);
    key.list(
        agent.pending,
        pending -> {
          key.number(pending.address());
          key.head(pending.head());
        });
    key.list(
        agent.releases,
        released -> {
          key.number(released.address());
          key.head(released.head());
        });
    key.list(agent.fences, key::head);
    key.list(agent.scFences, key::head);
    key.list(
        agent.visits,
        visit -> {
          key.number(visit.at());
          key.number(visit.effects());
          key.number((visit.since() ? 2 : 0) + (visit.round() ? 1 : 0));
          key.list(visit.live(), key::number);
        });
    key.list(
        agent.posted,
        posted -> {
          key.number(posted.id());
          key.list(posted.operands(), key::number);
        });
  }
}
