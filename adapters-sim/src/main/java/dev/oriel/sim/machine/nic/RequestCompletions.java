package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.CHANGE;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.POSTED;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;

import dev.oriel.domain.program.Atomic;
import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;

/**
 * Completions of requests as lanes observe them. A completion orders the fetch or the fill, never
 * the place.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class RequestCompletions {
  /** The number of a plain store among the changes of a word. */
  private static final int SET = Atomic.SET.ordinal();

  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final FaultInjector faults;
  private final ProxyThreads proxies;
  private final OrderingAssumptions kept;
  private final RequestRing ring;
  private final QueueOrder order;
  private final int context;

  public RequestCompletions(
      SharedSubsystems shared,
      RequestRing ring,
      QueueOrder order,
      ProxyThreads proxies,
      SuppliedOrder edge) {
    agents = shared.model.agents;
    clocks = shared.clocks;
    faults = shared.faults;
    kept = shared.kept;
    this.proxies = proxies;
    this.ring = ring;
    this.order = order;
    context = edge.context();
  }

  /** Whether every request of the lane that the edge waits for has completed locally. */
  public boolean completedAll(MachineState s, int lane) {
    for (int q = 0; q < agents.queues; q++) {
      if (waited(q, lane) && !completed(s, q)) {
        return false;
      }
    }
    return true;
  }

  private boolean waited(int queue, int lane) {
    return agents.queueLane[queue] == lane
        && (context == SuppliedOrder.EVERY || agents.queueNumber[queue] == context);
  }

  /** Orders the lane after every completion on the queues that the edge waits for. */
  public void awaitAll(MachineState s, int lane) {
    for (int q = 0; q < agents.queues; q++) {
      if (waited(q, lane)) {
        await(s, q);
      }
    }
  }

  /** Whether every request of the queue has completed locally. */
  public boolean completed(MachineState s, int queue) {
    int posted = s.requests[ring.header(queue) + POSTED];
    return proxies.on
        ? proxies.reported(s, queue) == posted
        : completedTo(s, queue, posted) == posted && !(faults.any && faults.loses(queue, posted));
  }

  /** The number of first requests, at most {@code limit}, that have all completed locally. */
  int completedTo(MachineState s, int queue, int limit) {
    boolean fused = kept.fused(agents.queueNumber[queue]);
    for (int n = s.requests[ring.header(queue) + RETIRED]; n < limit; n++) {
      int e = ring.entry(queue, n);
      int kind = s.requests[e + KIND];
      int needed =
          RequestLayout.returns(kind)
              ? 3
              : fused || (kind == Request.SLOT && s.requests[e + CHANGE] != SET) ? 2 : 1;
      if (RequestLayout.aside(kind)) {
        continue;
      }
      if (kind != Request.ARRANGE && s.requests[e + STAGE] < needed) {
        return n;
      }
    }
    return limit;
  }

  /**
   * Orders the lane after every completion: sources are fetched, and returned values are filled.
   */
  public void await(MachineState s, int queue) {
    int lane = agents.queueLane[queue];
    if (proxies.on) {
      proxies.await(s, queue);
    } else {
      clocks.orderLaneAfter(s, lane, agents.fetch[queue]);
      clocks.advance(s, agents.fetch[queue]);
      if (kept.fused(agents.queueNumber[queue])) {
        order.placedToo(s, queue, lane);
      }
    }
    if (agents.fill[queue] >= 0) {
      if (!proxies.on) {
        clocks.orderLaneAfter(s, lane, agents.fill[queue]);
      }
      clocks.results(s, queue);
      s.settled[agents.fill[queue]] = clocks.tick(s, agents.fill[queue]);
      clocks.advance(s, agents.fill[queue]);
    }
  }
}
