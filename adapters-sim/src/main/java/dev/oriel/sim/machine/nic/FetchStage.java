package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.BYTES;
import static dev.oriel.sim.machine.layout.RequestLayout.CAUSES;
import static dev.oriel.sim.machine.layout.RequestLayout.COMPONENT;
import static dev.oriel.sim.machine.layout.RequestLayout.FENCED;
import static dev.oriel.sim.machine.layout.RequestLayout.FETCHED;
import static dev.oriel.sim.machine.layout.RequestLayout.FLAGS;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.LOCAL;
import static dev.oriel.sim.machine.layout.RequestLayout.LOCAL_AT;
import static dev.oriel.sim.machine.layout.RequestLayout.POSTED;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.ROW;
import static dev.oriel.sim.machine.layout.RequestLayout.SITE;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;
import static dev.oriel.sim.machine.layout.RequestLayout.UNCOVERED;
import static dev.oriel.sim.machine.layout.RequestLayout.UNORDERED;

import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.memory.SimulatedMemory;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.EnabledDirtySet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.replay.ChoiceSource;

/** The first stage of a request: its interface fetches the source, in the order of each queue. */
final class FetchStage {
  private final MachineModel model;
  private final AgentLayout agents;
  private final SimulatedMemory memory;
  private final ComponentClocks clocks;
  private final StepFootprint footprint;
  private final EnabledDirtySet enabledDirty;
  private final FaultInjector faults;
  private final ProxyThreads proxies;
  private final MemoryKeys keys;
  private final FindingReporter reports;
  private final RequestRing ring;
  private final QueueOrder order;

  /**
   * Whether a signal or a read may be relaxed: then causal clocks may include what clocks do not.
   */
  private final boolean relaxes;

  FetchStage(
      SharedSubsystems shared,
      RequestRing ring,
      QueueOrder order,
      ProxyThreads proxies,
      MemoryKeys keys) {
    model = shared.model;
    agents = model.agents;
    memory = shared.memory;
    clocks = shared.clocks;
    footprint = shared.words.footprint;
    enabledDirty = shared.enabledDirty;
    faults = shared.faults;
    reports = shared.reports;
    this.ring = ring;
    this.order = order;
    relaxes = model.scan.relaxes || !model.scan.relaxed.isEmpty();
    this.proxies = proxies;
    this.keys = keys;
  }

  /** Whether the oldest unfetched request may be fetched. */
  boolean fetchable(MachineState s, int queue, boolean quiescent) {
    int h = ring.header(queue);
    int number = s.requests[h + FETCHED];
    if (number == (proxies.on ? proxies.handed(s, queue) : s.requests[h + POSTED])) {
      return false;
    }
    if (faults.slow && !quiescent && faults.holds(s, queue, number)) {
      return false;
    }
    boolean fenced = (s.requests[ring.entry(queue, number) + FLAGS] & FENCED) != 0;
    for (int n = s.requests[h + RETIRED]; fenced && n < number; n++) {
      int e = ring.entry(queue, n);
      if (RequestLayout.returns(s.requests[e + KIND]) && s.requests[e + STAGE] < 3) {
        return false;
      }
    }
    return true;
  }

  /** Reads the source of the oldest unfetched request. */
  void fetch(MachineState s, int queue, ChoiceSource branch) {
    int number = s.requests[ring.header(queue) + FETCHED]++;
    int e = ring.entry(queue, number);
    int kind = s.requests[e + KIND];
    boolean carries = carries(kind);
    boolean unordered = (s.requests[e + FLAGS] & UNORDERED) != 0;
    int all = agents.fetch[queue];
    int component = unordered && carries ? agents.unorderedFetch(s.requests[e + COMPONENT]) : all;
    clocks.join(s, component, s.releases, s.requests[e + ROW]);
    if ((s.requests[e + FLAGS] & FENCED) != 0 && agents.fill[queue] >= 0) {
      order.afterFills(s, queue, component);
    }
    if (component != all && agents.fill[queue] >= 0) {
      // Fetches start one after another, so each is ordered after what an earlier one waited for.
      int fill = agents.fill[queue];
      s.clocks.raise(component, fill, s.clocks.at(all, fill));
    }
    reports.stage(queue, number, 1, s.requests[e + SITE], false);
    if (faults.slow) {
      faults.fetched(s, queue, number, ring.oldestUnderWay(s, queue));
    }
    if (faults.any && faults.fails(queue, number)) {
      fail(s, queue, e);
      return;
    }
    if (carries) {
      if (keys.on) {
        int seen = CausalClockIndex.kept(s.requests[e + CAUSES]);
        int from = s.requests[e + LOCAL_AT];
        keys.local(s, queue, number, component, from, s.requests[e + BYTES], seen);
      }
      memory.read(
          s,
          component,
          agents.rankOf[component],
          s.requests[e + LOCAL],
          s.requests[e + LOCAL_AT],
          s.requests[e + BYTES],
          s.payload,
          ring.payload(queue, number),
          false,
          CausalClockIndex.kept(s.requests[e + CAUSES]),
          branch);
    }
    if (component != all) {
      // Completions order every fetch; placements in order follow no unordered one.
      clocks.order(s, component, all);
    }
    stands(s, queue, e, component);
    s.requests[e + STAGE] = 1;
    if (agents.unorderedCount > 0 && RequestLayout.places(kind)) {
      // This request may be placed before those that were fetched already.
      footprint.changed(order.waysOf(queue));
    }
    clocks.advance(s, component);
  }

  /**
   * Sets the clock of the request's place: it follows the fetches that were in order before its
   * own. An unordered request follows its own fetch only. A request that returns a value follows
   * only the fetches that its lane awaited. So does a slot's write that releases nothing.
   */
  private void stands(MachineState s, int queue, int e, int component) {
    int all = agents.fetch[queue];
    int flags = s.requests[e + FLAGS];
    int causes = s.requests[e + CAUSES];
    if (RequestLayout.aside(s.requests[e + KIND])) {
      s.requests[e + ROW] = clocks.keep(s, all);
      s.requests[e + CAUSES] = clocks.allFetched(s, queue, causes);
    } else if (component != all) {
      s.requests[e + ROW] = clocks.keep(s, component);
      s.requests[e + CAUSES] = clocks.fetched(s, component, causes);
    } else if ((flags & UNORDERED) == 0) {
      int row = order.inOrder(s, queue, s.requests[e + ROW]);
      if ((flags & UNCOVERED) == 0) {
        s.requests[e + ROW] = row;
      }
      if (s.requests[e + KIND] == Request.ARRANGE) {
        s.requests[e + CAUSES] = clocks.allFetched(s, queue, causes);
      } else if (carries(s.requests[e + KIND]) || relaxes) {
        s.requests[e + CAUSES] = clocks.fetched(s, component, causes);
      }
    }
  }

  /** Whether the request reads a source. */
  private static boolean carries(int kind) {
    return kind == Request.WRITE || kind == Request.WRITE_AND_SIGNAL;
  }

  /** Fails the request: it moves nothing, and its rank notices at its next wait. */
  private void fail(MachineState s, int queue, int e) {
    s.requests[e + STAGE] = 3;
    if (agents.isUnordered(queue, s.requests[e + COMPONENT])) {
      s.settled[s.requests[e + COMPONENT]] = 0;
    }
    int rank = model.rank(agents.queueLane[queue]);
    s.aborted[rank] = true;
    enabledDirty.rank(rank);
    ring.retire(s, queue);
  }
}
