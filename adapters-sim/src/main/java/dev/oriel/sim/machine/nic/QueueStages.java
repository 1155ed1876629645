package dev.oriel.sim.machine.nic;

import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.state.AgentNumbering;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.step.StepWork;
import dev.oriel.sim.replay.ChoiceSource;

/** The stages of each queue, by their numbers: which are enabled, and their steps. */
public final class QueueStages {
  private final MachineModel model;
  private final FaultInjector faults;
  private final AgentLayout agents;
  private final RequestRing ring;
  private final QueueOrder order;
  private final FetchStage fetch;
  private final PlaceStage place;
  private final ReadStage read;
  private final FillStage fill;

  public QueueStages(
      SharedSubsystems shared,
      RequestRing ring,
      QueueOrder order,
      ProxyThreads proxies,
      MemoryKeys keys) {
    model = shared.model;
    faults = shared.faults;
    agents = model.agents;
    this.ring = ring;
    this.order = order;
    fetch = new FetchStage(shared, ring, order, proxies, keys);
    place = new PlaceStage(shared, ring, order, keys);
    read = new ReadStage(shared, ring, order, keys);
    fill = new FillStage(shared, ring, keys);
  }

  /** Whether the stage is enabled; {@code quiescent} if no other agent is. */
  public boolean enabled(MachineState s, int queue, int stage, boolean quiescent) {
    return switch (stage) {
      case 0 -> fetch.fetchable(s, queue, quiescent);
      case 1 -> passes(s, queue, quiescent) && place.placeable(s, queue, 0) >= 0;
      case 2 ->
          agents.read[queue] >= 0 && passes(s, queue, quiescent) && read.readable(s, queue) >= 0;
      default -> agents.read[queue] >= 0 && fill.fillable(s, queue) >= 0;
    };
  }

  /** Whether the link lets the queue's fetched requests act at the far side. */
  private boolean passes(MachineState s, int queue, boolean quiescent) {
    return !faults.links
        || quiescent
        || !faults.stalls(s, queue, ring.oldestUnderWay(s, queue), ring.fetched(s, queue));
  }

  /** The enabled stages of the queue, one bit each. */
  public long ready(MachineState s, int queue, boolean quiescent) {
    long ready = 0;
    if (!ring.idle(s, queue)) {
      int stages = agents.read[queue] >= 0 ? AgentNumbering.STAGES : 2;
      for (int stage = 0; stage < stages; stage++) {
        ready |= enabled(s, queue, stage, quiescent) ? 1L << stage : 0;
      }
    }
    return ready;
  }

  /** Takes the stage's next step. */
  public void step(MachineState s, int queue, int stage, ChoiceSource branch) {
    switch (stage) {
      case 0 -> fetch.fetch(s, queue, branch);
      case 1 -> {
        int ways = 1;
        while (agents.unorderedCount > 0 && place.placeable(s, queue, ways) >= 0) {
          ways++;
        }
        place.place(s, queue, place.placeable(s, queue, ways == 1 ? 0 : branch.choose(ways)));
      }
      case 2 -> read.read(s, queue, read.readable(s, queue), branch);
      default -> fill.fill(s, queue, fill.fillable(s, queue));
    }
    if (faults.links && (stage == 1 || stage == 2)) {
      faults.passed(s, queue);
    }
    if (model.ordered) {
      order.over(s, queue);
    }
  }

  /** Whether the result of the stage's next step depends on when it is taken. */
  public boolean open(MachineState s, int queue, int stage) {
    return stage == 1 ? place.open(s, queue) : stage == 3 && fill.open(s, queue);
  }

  /** Notes the words that the stage's next step may change. */
  public void intent(MachineState s, int queue, int stage, StepFootprint into) {
    if (stage == 3) {
      fill.intent(s, queue, into);
    } else {
      place.intent(s, queue, into);
    }
  }

  /** Describes the kind and the size of the stage's next step, which is enabled. */
  public void work(MachineState s, int queue, int stage, StepWork into) {
    switch (stage) {
      case 0 -> into.kind = StepWork.Kind.FETCH;
      case 1 -> {
        into.kind = StepWork.Kind.PLACE;
        into.bytes = ring.bytesOf(s, queue, place.placeable(s, queue, 0));
      }
      case 2 -> into.kind = StepWork.Kind.READ;
      default -> {
        into.kind = StepWork.Kind.FILL;
        into.bytes = ring.bytesOf(s, queue, fill.fillable(s, queue));
      }
    }
  }
}
