package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.BYTES;
import static dev.oriel.sim.machine.layout.RequestLayout.FETCHED;
import static dev.oriel.sim.machine.layout.RequestLayout.FLAGS;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.PASSED;
import static dev.oriel.sim.machine.layout.RequestLayout.REMOTE;
import static dev.oriel.sim.machine.layout.RequestLayout.REMOTE_AT;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.ROW;
import static dev.oriel.sim.machine.layout.RequestLayout.SITE;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;
import static dev.oriel.sim.machine.layout.RequestLayout.UNORDERED;

import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.memory.SimulatedMemory;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.replay.ChoiceSource;

/** The stage of a read at the peer: the interface reads there. */
final class ReadStage {
  private final MachineModel model;
  private final AgentLayout agents;
  private final SimulatedMemory memory;
  private final ComponentClocks clocks;
  private final MemoryKeys keys;
  private final FindingReporter reports;
  private final RequestRing ring;
  private final QueueOrder order;

  ReadStage(SharedSubsystems shared, RequestRing ring, QueueOrder order, MemoryKeys keys) {
    model = shared.model;
    agents = model.agents;
    memory = shared.memory;
    clocks = shared.clocks;
    reports = shared.reports;
    this.ring = ring;
    this.order = order;
    this.keys = keys;
  }

  /** The oldest request whose read may be made; -1 if there is none. */
  int readable(MachineState s, int queue) {
    int h = ring.header(queue);
    boolean waits = false;
    boolean unorderedWaits = false;
    for (int n = s.requests[h + RETIRED]; n < s.requests[h + FETCHED]; n++) {
      int e = ring.entry(queue, n);
      int kind = s.requests[e + KIND];
      boolean unordered = (s.requests[e + FLAGS] & UNORDERED) != 0;
      if (RequestLayout.places(kind)) {
        if (s.requests[e + STAGE] == 1 && !RequestLayout.aside(kind)) {
          waits |= !unordered && kind != Request.ARRANGE;
          unorderedWaits |= unordered || kind == Request.ARRANGE;
        }
      } else if (s.requests[e + STAGE] == 1) {
        return waits || (unorderedWaits && !unordered) ? -1 : n;
      }
    }
    return -1;
  }

  /** Reads at the peer. */
  void read(MachineState s, int queue, int number, ChoiceSource branch) {
    int e = ring.entry(queue, number);
    int component = agents.read[queue];
    clocks.join(s, component, s.releases, s.requests[e + ROW]);
    boolean passed = (s.requests[e + FLAGS] & PASSED) != 0;
    boolean unordered = (s.requests[e + FLAGS] & UNORDERED) != 0;
    if (!passed) {
      clocks.order(s, agents.place[queue], component);
    }
    if (!passed && !unordered) {
      order.afterArranged(s, queue, component);
    }
    clocks.advance(s, agents.place[queue]);
    if (!unordered) {
      order.afterUnordered(s, queue, component);
    }
    reports.stage(queue, number, 2, s.requests[e + SITE], true);
    if (s.requests[e + KIND] == Request.READ_BACK) {
      clocks.readBack(s, component);
    }
    if (s.requests[e + KIND] == Request.READ) {
      if (keys.on) {
        int from = s.requests[e + REMOTE_AT];
        keys.remote(s, queue, number, component, from, s.requests[e + BYTES], -1);
      }
      memory.read(
          s,
          component,
          agents.queuePeer[queue],
          s.requests[e + REMOTE],
          s.requests[e + REMOTE_AT],
          s.requests[e + BYTES],
          s.payload,
          ring.payload(queue, number),
          false,
          -1,
          branch);
    }
    s.requests[e + ROW] = clocks.keep(s, component);
    s.requests[e + STAGE] = 2;
    clocks.advance(s, component);
  }
}
