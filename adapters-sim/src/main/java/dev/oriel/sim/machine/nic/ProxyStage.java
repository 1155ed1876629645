package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.POSTED;
import static dev.oriel.sim.machine.layout.RequestLayout.SITE;

import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;

/**
 * The two steps of a queue's proxy: it hands requests on, and it reports completions to its lane.
 */
public final class ProxyStage {
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final FaultInjector faults;
  private final OrderingAssumptions kept;
  private final ProxyThreads proxies;
  private final RequestRing ring;
  private final QueueOrder order;
  private final RequestCompletions completions;

  public ProxyStage(
      SharedSubsystems shared,
      RequestRing ring,
      QueueOrder order,
      ProxyThreads proxies,
      RequestCompletions completions) {
    agents = shared.model.agents;
    clocks = shared.clocks;
    faults = shared.faults;
    kept = shared.kept;
    this.proxies = proxies;
    this.ring = ring;
    this.order = order;
    this.completions = completions;
  }

  /**
   * Whether the queue's proxy can take that step; {@code quiescent} if no other agent is enabled.
   */
  public boolean enabled(MachineState s, int queue, boolean hands, boolean quiescent) {
    return proxies.goesOn(s, queue, quiescent)
        && (hands ? canForward(s, queue) : canReport(s, queue));
  }

  /** Takes that step of the queue's proxy. */
  public void step(MachineState s, int queue, boolean hands) {
    if (hands) {
      hand(s, queue);
    } else {
      report(s, queue);
    }
  }

  /** Whether the queue's proxy has a request to hand on. */
  private boolean canForward(MachineState s, int queue) {
    return proxies.canForward(s, queue, s.requests[ring.header(queue) + POSTED]);
  }

  /** Hands the queue's oldest request on. */
  private void hand(MachineState s, int queue) {
    int e = ring.entry(queue, proxies.handed(s, queue));
    proxies.hand(s, queue, s.requests[e + SITE]);
  }

  /** Whether the queue's proxy has completions that it has not reported. */
  private boolean canReport(MachineState s, int queue) {
    return completions(s, queue) > proxies.reported(s, queue);
  }

  /** The number of first requests whose completions the queue's proxy has seen. */
  private int completions(MachineState s, int queue) {
    int all = completions.completedTo(s, queue, proxies.handed(s, queue));
    return faults.any ? Math.min(all, faults.lastCompletion(queue)) : all;
  }

  /** Reports completed requests to the lane: their sources are fetched. */
  private void report(MachineState s, int queue) {
    int row = known(s, agents.fetch[queue]);
    boolean fused = kept.fused(agents.queueNumber[queue]);
    int count = fused ? order.unorderedCount(s, queue) : 0;
    for (int i = fused ? -1 : 0; i < count; i++) {
      int place = i < 0 ? agents.place[queue] : agents.unordered(queue, i);
      row = s.releases.joined(row, known(s, place));
    }
    if (agents.fill[queue] >= 0) {
      // A returned value may still be on its way to a GPU's memory: the proxy flushes it.
      row = s.releases.joined(row, known(s, agents.fill[queue]));
    }
    proxies.report(s, queue, completions(s, queue), row);
  }

  private int known(MachineState s, int component) {
    int row = clocks.keep(s, component);
    clocks.advance(s, component);
    return row;
  }
}
