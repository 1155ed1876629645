package dev.oriel.sim.machine.agent;

import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.lane.LaneReadiness;
import dev.oriel.sim.machine.lane.PendingAtomics;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.nic.ProxyStage;
import dev.oriel.sim.machine.nic.ProxyThreads;
import dev.oriel.sim.machine.nic.QueueStages;
import dev.oriel.sim.machine.state.AgentNumbering;
import dev.oriel.sim.machine.state.EnabledDirtySet;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.TimeoutPolicy;

/**
 * The enabled agents: one bit of the state for each. A step recomputes the bits of the agents that
 * it may have enabled or disabled.
 */
final class EnabledAgents {
  private static final long ALL_STAGES = (1L << AgentNumbering.STAGES) - 1;

  private final MachineModel model;
  private final AgentNumbering roster;
  private final LaneReadiness readiness;
  private final QueueStages stages;
  private final ProxyStage proxyStage;
  private final ProxyThreads proxies;
  private final PendingAtomics updates;
  private final FaultInjector faults;
  private final EnabledDirtySet enabledDirty;
  private final CoScheduledLanes together;
  private final TimeoutPolicy timeouts;

  /** Whether only lanes, callers and queues decide which agents are enabled. */
  private final boolean steady;

  /** Whether no agent is held back now, because no other is enabled. */
  private boolean quiescent;

  EnabledAgents(
      SharedSubsystems shared,
      AgentNumbering roster,
      LaneReadiness readiness,
      QueueStages stages,
      ProxyStage proxyStage,
      ProxyThreads proxies,
      PendingAtomics updates,
      CoScheduledLanes together,
      TimeoutPolicy timeouts) {
    model = shared.model;
    faults = shared.faults;
    enabledDirty = shared.enabledDirty;
    this.roster = roster;
    this.readiness = readiness;
    this.stages = stages;
    this.proxyStage = proxyStage;
    this.proxies = proxies;
    this.updates = updates;
    this.together = together;
    this.timeouts = timeouts;
    steady = timeouts == TimeoutPolicy.NEVER && !faults.any;
  }

  /** Whether the agent is enabled. */
  boolean contains(MachineState s, int agent) {
    return (s.enabled[agent >> 6] & 1L << agent) != 0;
  }

  /** Enables the agent, or disables it for now. */
  void mark(MachineState s, int agent, boolean enabled) {
    long bit = 1L << agent;
    long others = s.enabled[agent >> 6] & ~bit;
    s.enabled[agent >> 6] = enabled ? others | bit : others;
  }

  /** Marks all agents for {@link #refresh}. */
  void wakeAll() {
    for (int r = 0; r < model.world; r++) {
      enabledDirty.rank(r);
    }
    for (int q = 0; q < model.agents.queues; q++) {
      enabledDirty.queue(q);
    }
  }

  /** Recomputes all agents. */
  void refreshAll(MachineState s) {
    wakeAll();
    refresh(s, -1);
  }

  /** Recomputes after a step of that lane, caller or stage; -1 for a step of another agent. */
  void refresh(MachineState s, int stepped) {
    if (together.any) {
      wakeAll();
    }
    if (stepped >= 0 && stepped < roster.firstCaller) {
      wakeLane(s, stepped, stepped);
    } else if (stepped >= roster.firstStage) {
      int queue = roster.queueOf(stepped);
      refreshQueue(s, queue);
      wakeLane(s, model.agents.queueLane[queue], stepped);
    }
    for (int l = enabledDirty.nextLane(); l >= 0; l = enabledDirty.nextLane()) {
      wakeLane(s, l, stepped);
    }
    for (int r = enabledDirty.nextCaller(); r >= 0; r = enabledDirty.nextCaller()) {
      mark(s, roster.firstCaller + r, s.callerDue[r] && !absent(s, r));
    }
    for (int q = enabledDirty.nextQueue(); q >= 0; q = enabledDirty.nextQueue()) {
      refreshQueue(s, q);
    }
    if (model.scan.locks) {
      for (int q = 0; q < model.agents.queues; q++) {
        refreshQueue(s, q);
      }
    }
    if (together.any) {
      together.hold(this, s);
    }
  }

  private void wakeLane(MachineState s, int lane, int stepped) {
    if (!staysEnabled(s, lane, stepped)) {
      refreshLane(s, lane);
    }
    if (updates.on) {
      mark(s, roster.firstUpdate + lane, updates.any(s, lane));
    }
  }

  /** An enabled lane is disabled only by its own steps, and by locks that others take. */
  private boolean staysEnabled(MachineState s, int lane, int stepped) {
    return contains(s, lane) && lane != stepped && steady && !readiness.locks(s, lane);
  }

  private void refreshLane(MachineState s, int lane) {
    int rank = model.rank(lane);
    boolean absent = absent(s, rank);
    mark(s, lane, !absent && readiness.enabled(s, lane));
    if (!steady) {
      boolean mayGiveUp = timeouts == TimeoutPolicy.ANY || s.aborted[rank];
      mark(s, roster.firstTimeout + lane, !absent && mayGiveUp && readiness.waits(s, lane));
    }
  }

  private boolean absent(MachineState s, int rank) {
    return faults.any && (faults.crashed(s, rank) || (!quiescent && faults.straggles(s, rank)));
  }

  private void refreshQueue(MachineState s, int queue) {
    if (proxies.on) {
      int first = roster.firstProxy + 2 * queue;
      mark(s, first, proxyStage.enabled(s, queue, true, quiescent));
      mark(s, first + 1, proxyStage.enabled(s, queue, false, quiescent));
    }
    long ready = stages.ready(s, queue, quiescent);
    int first = roster.firstStage + queue * AgentNumbering.STAGES;
    int word = first >> 6;
    s.enabled[word] = (s.enabled[word] & ~(ALL_STAGES << first)) | (ready << first);
    int over = (first & 63) + AgentNumbering.STAGES - 64;
    if (over > 0) {
      long high = (1L << over) - 1;
      s.enabled[word + 1] =
          (s.enabled[word + 1] & ~high) | (ready >>> (AgentNumbering.STAGES - over));
    }
  }

  /** Whether the lane waits for something, and can still give up. */
  boolean mayGiveUp(MachineState s, int lane) {
    return readiness.waits(s, lane) && !(faults.any && faults.crashed(s, model.rank(lane)));
  }

  /**
   * Called if no agent is enabled: enables agents that were only held back. If there are none,
   * lanes that wait may give up, if timeouts exist. Returns whether any agent is enabled now.
   */
  boolean enableAtQuiescence(MachineState s) {
    if (faults.slow) {
      quiescent = true;
      refreshAll(s);
      quiescent = false;
      for (long word : s.enabled) {
        if (word != 0) {
          return true;
        }
      }
    }
    boolean any = false;
    for (int l = 0; timeouts != TimeoutPolicy.NEVER && l < model.lanes; l++) {
      boolean may = mayGiveUp(s, l);
      mark(s, roster.firstTimeout + l, may);
      any |= may;
    }
    return any;
  }
}
