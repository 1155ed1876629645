package dev.oriel.sim.machine.nic;

import static dev.oriel.sim.machine.layout.RequestLayout.BYTES;
import static dev.oriel.sim.machine.layout.RequestLayout.CAUSES;
import static dev.oriel.sim.machine.layout.RequestLayout.COMPONENT;
import static dev.oriel.sim.machine.layout.RequestLayout.FETCHED;
import static dev.oriel.sim.machine.layout.RequestLayout.KIND;
import static dev.oriel.sim.machine.layout.RequestLayout.LOCAL;
import static dev.oriel.sim.machine.layout.RequestLayout.LOCAL_AT;
import static dev.oriel.sim.machine.layout.RequestLayout.RETIRED;
import static dev.oriel.sim.machine.layout.RequestLayout.ROW;
import static dev.oriel.sim.machine.layout.RequestLayout.SITE;
import static dev.oriel.sim.machine.layout.RequestLayout.STAGE;

import dev.oriel.sim.code.LaneOpcode.Request;
import dev.oriel.sim.machine.clocks.ComponentClocks;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.CausalClockIndex;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.RequestLayout;
import dev.oriel.sim.machine.memory.DataWords;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.machine.step.StepFootprint;

/** The last stage of a read or an atomic: its result arrives in the initiator's memory. */
final class FillStage {
  private final MachineModel model;
  private final AgentLayout agents;
  private final ComponentClocks clocks;
  private final DataWords dataWords;
  private final MemoryKeys keys;
  private final FindingReporter reports;
  private final RequestRing ring;
  private final long[] result = new long[Long.BYTES];

  FillStage(SharedSubsystems shared, RequestRing ring, MemoryKeys keys) {
    model = shared.model;
    agents = model.agents;
    clocks = shared.clocks;
    dataWords = shared.dataWords;
    reports = shared.reports;
    this.ring = ring;
    this.keys = keys;
  }

  /** The oldest request whose result may arrive; -1 if there is none. */
  int fillable(MachineState s, int queue) {
    int h = ring.header(queue);
    for (int n = s.requests[h + RETIRED]; n < s.requests[h + FETCHED]; n++) {
      int e = ring.entry(queue, n);
      if (RequestLayout.returns(s.requests[e + KIND]) && s.requests[e + STAGE] == 2) {
        return n;
      }
    }
    return -1;
  }

  /** Whether lanes may await the next result, so that it matters when it arrives. */
  boolean open(MachineState s, int queue) {
    int number = model.whole ? fillable(s, queue) : -1;
    int e = number < 0 ? -1 : ring.entry(queue, number);
    return number >= 0 && brings(s, e) && dataWords.awaited(rank(queue), s.requests[e + LOCAL]);
  }

  /** Notes the words that the next result may change. */
  void intent(MachineState s, int queue, StepFootprint into) {
    int e = ring.entry(queue, fillable(s, queue));
    if (brings(s, e)) {
      boolean atomic = s.requests[e + KIND] == Request.CHANGE;
      int length = atomic ? Long.BYTES : s.requests[e + BYTES];
      int to = s.requests[e + LOCAL_AT];
      dataWords.intent(rank(queue), s.requests[e + LOCAL], to, length, into);
    }
  }

  private int rank(int queue) {
    return agents.rankOf[agents.fill[queue]];
  }

  private static boolean brings(MachineState s, int e) {
    int kind = s.requests[e + KIND];
    return kind == Request.READ || (kind == Request.CHANGE && s.requests[e + LOCAL] >= 0);
  }

  /** Writes the result of the request to its initiator's memory. */
  void fill(MachineState s, int queue, int number) {
    int e = ring.entry(queue, number);
    int component = agents.fill[queue];
    int kind = s.requests[e + KIND];
    int others = model.scan.anyUnordered ? setAside(s, component) : 0;
    if (RequestLayout.places(kind)) {
      int place = s.requests[e + COMPONENT];
      clocks.order(s, place, component);
      if (agents.isUnordered(queue, place)) {
        s.settled[place] = clocks.tick(s, place);
      }
      clocks.advance(s, place);
    }
    clocks.join(s, component, s.releases, s.requests[e + ROW]);
    int first = clocks.tick(s, component);
    reports.stage(queue, number, 3, s.requests[e + SITE], true);
    if (kind == Request.READ) {
      if (keys.on) {
        int seen = CausalClockIndex.kept(s.requests[e + CAUSES]);
        int to = s.requests[e + LOCAL_AT];
        keys.local(s, queue, number, component, to, s.requests[e + BYTES], seen);
      }
      fill(s, queue, e, s.payload, ring.payload(queue, number), s.requests[e + BYTES]);
    } else if (kind == Request.CHANGE && s.requests[e + LOCAL] >= 0) {
      int at = RequestLayout.VALUES * ring.slot(queue, number);
      long found = s.requestValues[at];
      model.origins.put(result, 0, Long.BYTES, found, s.requestValues[at + 2]);
      fill(s, queue, e, result, 0, Long.BYTES);
    }
    clocks.join(s, component, s.releases, others);
    s.requests[e + STAGE] = 3;
    // Two fills of one queue are unordered unless a completion was awaited in between.
    s.settled[component] = Math.min(s.settled[component], first - 1);
    clocks.advance(s, component);
    ring.retire(s, queue);
  }

  /**
   * A snapshot of the clocks of earlier fills, which do not order this one. The component keeps
   * only its own entry; completions order all fills.
   */
  private int setAside(MachineState s, int component) {
    int others = clocks.keep(s, component);
    int tick = clocks.tick(s, component);
    s.clocks.copy(component, s.releases.rows, 0);
    s.clocks.set(component, component, tick);
    return others;
  }

  private void fill(MachineState s, int queue, int e, long[] from, int at, int length) {
    int component = agents.fill[queue];
    int rank = agents.rankOf[component];
    int buffer = s.requests[e + LOCAL];
    int to = s.requests[e + LOCAL_AT];
    dataWords.place(s, component, rank, buffer, to, length, from, at, s.requests[e + CAUSES]);
  }
}
