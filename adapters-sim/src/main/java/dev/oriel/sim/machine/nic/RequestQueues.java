package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.BYTES;
import static dev.oriel.sim.machine.layout.RequestLayout.CAUSES;
import static dev.oriel.sim.machine.layout.RequestLayout.COMPONENT;
import static dev.oriel.sim.machine.layout.RequestLayout.FENCED;
import static dev.oriel.sim.machine.layout.RequestLayout.FETCHED;
import static dev.oriel.sim.machine.layout.RequestLayout.FLAGS;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.LOCAL;
import static dev.oriel.sim.machine.layout.RequestLayout.POSTED;
import static dev.oriel.sim.machine.layout.RequestLayout.RELAXED;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.ROW;
import static dev.oriel.sim.machine.layout.RequestLayout.SITE;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;
import static dev.oriel.sim.machine.layout.RequestLayout.UNCOVERED;
import static dev.oriel.sim.machine.layout.RequestLayout.UNORDERED;
import static dev.oriel.sim.machine.layout.RequestLayout.UNORDERED_COUNT;
import static dev.oriel.sim.machine.layout.RequestLayout.WORD;

import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.OrderingAssumptions;
import dev.oriel.sim.machine.state.EnabledDirtySet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;

/**
 * Queues of network interfaces, as lanes post requests to them. Each request passes through stages
 * with no order beyond the rules: source fetch, remote place or read, local fill.
 */
public final class RequestQueues {
  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final EnabledDirtySet enabledDirty;
  private final ProxyThreads proxies;
  private final MemoryKeys keys;
  private final OrderingAssumptions kept;
  private final FindingReporter reports;
  private final RequestRing ring;
  private boolean shared;

  public RequestQueues(
      SharedSubsystems shared, RequestRing ring, ProxyThreads proxies, MemoryKeys keys) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    enabledDirty = shared.enabledDirty;
    kept = shared.kept;
    reports = shared.reports;
    this.ring = ring;
    this.proxies = proxies;
    this.keys = keys;
  }

  /** Whether another request fits. */
  public boolean hasRoom(MachineState s, int queue) {
    int h = ring.header(queue);
    int posted = s.requests[h + POSTED];
    return proxies.on
        ? proxies.hasRoom(s, queue, posted, s.requests[h + RETIRED])
        : posted - s.requests[h + RETIRED] < model.profile.depth();
  }

  /** Whether two unordered requests ever shared a component, and so were treated as ordered. */
  public boolean shared() {
    return shared;
  }

  /** Begins a request; the caller fills in its fields. Returns the place of the fields. */
  public int post(
      MachineState s, int queue, int kind, boolean fenced, boolean unordered, int site) {
    int h = ring.header(queue);
    int number = s.requests[h + POSTED];
    ring.requireRoom(s, queue);
    int posted = ++s.requests[h + POSTED];
    if (proxies.on) {
      proxies.publish(s, queue, posted, s.requests[h + RETIRED], posted);
    }
    int e = ring.entry(queue, number);
    boolean strict = kept.inOrder(agents.queueNumber[queue], !RequestLayout.places(kind));
    boolean relaxed = model.relaxedOrdering && kind == Request.WRITE && !unordered && !strict;
    boolean places = RequestLayout.places(kind) && kind != Request.ARRANGE;
    s.requests[e + KIND] = kind;
    s.requests[e + FLAGS] =
        (fenced ? FENCED : 0) | (unordered && !strict ? UNORDERED : 0) | (relaxed ? RELAXED : 0);
    s.requests[e + STAGE] = 0;
    s.requests[e + LOCAL] = -1;
    s.requests[e + BYTES] = 0;
    s.requests[e + WORD] = -1;
    s.requests[e + ROW] = clocks.postedRow(s, agents.queueLane[queue]);
    s.requests[e + CAUSES] = clocks.posted(s, queue);
    s.requests[e + SITE] = site;
    s.requests[e + COMPONENT] =
        RequestLayout.aside(kind) ? agents.count[queue] : agents.place[queue];
    if (places && (relaxed || (unordered && !strict))) {
      s.requests[e + COMPONENT] = unorderedComponent(s, queue, number);
      s.settled[s.requests[e + COMPONENT]] = Integer.MAX_VALUE;
    }
    if (keys.on) {
      keys.posted(s, queue, number);
    }
    enabledDirty.queue(queue);
    if (number == s.requests[h + FETCHED]) {
      s.held[queue] = s.allSteps;
    }
    reports.posted(s, queue, number, site);
    return e;
  }

  /**
   * The component of an unordered request that is posted now. A component is reused if the lane is
   * ordered after the end of its last request. So a clock that includes the new request includes
   * the old one. Otherwise the component is a fresh one.
   */
  private int unorderedComponent(MachineState s, int queue, int number) {
    int h = ring.header(queue);
    int leader = agents.leader[agents.queueLane[queue]];
    int used = s.requests[h + UNORDERED_COUNT];
    for (int i = 0; i < used; i++) {
      int component = agents.unordered(queue, i);
      if (s.settled[component] <= s.clocks.at(leader, component)) {
        return component;
      }
    }
    if (used < agents.unorderedCount) {
      s.requests[h + UNORDERED_COUNT]++;
      return agents.unordered(queue, used);
    }
    if (used < agents.maxUnordered) {
      throw model.sizes.grow("loose requests of a queue", used + 1);
    }
    shared = true;
    return agents.unordered(queue, number % used);
  }

  /** Sets what a slot's write releases, and its scope. */
  public void covers(MachineState s, int queue, int e, boolean releases, int scope) {
    s.requests[e + FLAGS] |= scope << RequestLayout.SCOPE;
    if (!releases && !kept.storesInOrder && !model.ordered) {
      s.requests[e + FLAGS] |= UNCOVERED;
      s.requests[e + ROW] = clocks.fencedRow(s, agents.queueLane[queue]);
    }
  }

  /** Sets the operands of a word's change, and the first one's origin. */
  public void operands(MachineState s, int queue, long operand, long origin, long compare) {
    int slot = ring.slot(queue, s.requests[ring.header(queue) + POSTED] - 1);
    int values = RequestLayout.VALUES * slot;
    s.requestValues[values] = operand;
    s.requestValues[values + 1] = compare;
    s.requestValues[values + 2] = origin;
  }
}
