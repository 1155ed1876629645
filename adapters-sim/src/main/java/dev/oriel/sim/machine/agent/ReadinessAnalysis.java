package dev.oriel.sim.machine.agent;

import dev.oriel.sim.machine.lane.LaneReadiness;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.nic.QueueStages;
import dev.oriel.sim.machine.nic.RequestCompletions;
import dev.oriel.sim.machine.nic.RequestQueues;
import dev.oriel.sim.machine.state.AgentNumbering;
import dev.oriel.sim.machine.state.MachineState;

/** The decisions of each part of the state about enabled agents, and the parts that steps touch. */
public final class ReadinessAnalysis {
  private static final long ALL_STAGES = (1L << AgentNumbering.STAGES) - 1;

  private final MachineModel model;
  private final AgentNumbering roster;
  private final LaneReadiness readiness;
  private final QueueStages stages;
  private final RequestQueues queues;
  private final RequestCompletions completions;

  ReadinessAnalysis(
      MachineModel model,
      AgentNumbering roster,
      LaneReadiness readiness,
      QueueStages stages,
      RequestQueues queues,
      RequestCompletions completions) {
    this.model = model;
    this.roster = roster;
    this.readiness = readiness;
    this.stages = stages;
    this.queues = queues;
    this.completions = completions;
  }

  /**
   * The decisions of that part of the state, and the parts that the next steps of its lanes touch.
   */
  public PartReadiness of(MachineState s, int part, StepLocality locality) {
    if (part >= model.world) {
      int queue = part - model.world;
      long ready =
          stages.ready(s, queue, false) << (roster.firstStage + AgentNumbering.STAGES * queue);
      boolean done = completions.completed(s, queue);
      return PartReadiness.ofQueue(queue, ready, queues.hasRoom(s, queue), done);
    }
    int first = model.firstLane[part];
    int[] held = new int[model.firstLane[part + 1] - first];
    int[] lists = new int[held.length];
    for (int i = 0; i < held.length; i++) {
      int queue = readiness.heldBy(s, first + i);
      held[i] =
          queue >= 0
              ? PartReadiness.heldBy(queue, readiness.posts(s, first + i))
              : readiness.enabled(s, first + i) ? PartReadiness.GOES : PartReadiness.STAYS;
      lists[i] = locality.ofLane(s, first + i, queue);
    }
    long caller = s.callerDue[part] ? 1L << (roster.firstCaller + part) : 0;
    return new PartReadiness(caller, 0, held, lists);
  }

  /** The caller and the stages that belong to that part, one bit each. */
  public long agentsOf(int part) {
    return part < model.world
        ? 1L << (roster.firstCaller + part)
        : ALL_STAGES << (roster.firstStage + AgentNumbering.STAGES * (part - model.world));
  }

  /** The list of parts that a step of a caller or a stage may read or write. */
  public int touches(int agent, StepLocality locality) {
    return roster.isCaller(agent)
        ? agent - roster.firstCaller
        : locality.ofStage(roster.queueOf(agent), roster.stageOf(agent));
  }
}
