package dev.oriel.sim.machine.agent;

import dev.oriel.sim.machine.caller.CallerSteps;
import dev.oriel.sim.machine.deadlock.DeadlockExplainer;
import dev.oriel.sim.machine.fault.FaultInjector;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.lane.CopySteps;
import dev.oriel.sim.machine.lane.LaneOperands;
import dev.oriel.sim.machine.lane.LaneReadiness;
import dev.oriel.sim.machine.lane.LaneSteps;
import dev.oriel.sim.machine.lane.MessageSums;
import dev.oriel.sim.machine.lane.MissedAwaits;
import dev.oriel.sim.machine.lane.OrderSensitiveSteps;
import dev.oriel.sim.machine.lane.PendingAtomics;
import dev.oriel.sim.machine.lane.PostingSteps;
import dev.oriel.sim.machine.lane.SlotSteps;
import dev.oriel.sim.machine.lane.StepCosting;
import dev.oriel.sim.machine.lane.WordSteps;
import dev.oriel.sim.machine.launch.InitialState;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.memory.SharedSubsystems;
import dev.oriel.sim.machine.nic.ProxyStage;
import dev.oriel.sim.machine.nic.ProxyThreads;
import dev.oriel.sim.machine.nic.QueueOrder;
import dev.oriel.sim.machine.nic.QueueStages;
import dev.oriel.sim.machine.nic.RequestCompletions;
import dev.oriel.sim.machine.nic.RequestQueues;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import dev.oriel.sim.machine.state.AgentNumbering;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.RequestRing;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.step.StepWork;
import dev.oriel.sim.machine.symmetry.RankPermutation;
import dev.oriel.sim.machine.words.SyncWords;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All agents as one transition system; {@link AgentNumbering} numbers them. A step takes one
 * agent's next transition, which must be enabled. A {@link ChoiceSource} resolves nondeterminism
 * inside the step.
 */
public final class SimulatedMachine {
  public final MachineModel model;
  public final ReadinessAnalysis standings;
  private final SharedSubsystems shared;
  private final InitialState origin;
  private final DetectorSet detectors;
  private final FaultInjector faults;
  private final int launches;
  private final AgentNumbering roster;
  private final EnabledAgents enabled;
  private final LaneSteps lanes;
  private final OrderSensitiveSteps openSteps;
  private final MessageSums sums;
  private final RequestQueues queues;
  private final CallerSteps callers;
  private final QueueStages stages;
  private final PendingAtomics updates;
  private final ProxyThreads proxies;
  private final ProxyStage proxyStage;
  private final StepCosting tasks;
  private final CoScheduledLanes together;
  private final MissedAwaits missed;

  public SimulatedMachine(
      MachineModel model,
      ExecutionSettings settings,
      InitialState origin,
      SuppliedOrder edge,
      FindingReporter reports) {
    this.model = model;
    this.origin = origin;
    detectors = settings.detectors();
    launches = settings.launches();
    shared = new SharedSubsystems(model, settings, edge, reports);
    faults = shared.faults;
    proxies = new ProxyThreads(shared);
    MemoryKeys keys = new MemoryKeys(model, shared.memory);
    RequestRing ring = new RequestRing(model);
    QueueOrder order = new QueueOrder(model, shared.clocks, ring);
    queues = new RequestQueues(shared, ring, proxies, keys);
    RequestCompletions completions = new RequestCompletions(shared, ring, order, proxies, edge);
    stages = new QueueStages(shared, ring, order, proxies, keys);
    proxyStage = new ProxyStage(shared, ring, order, proxies, completions);
    updates = new PendingAtomics(shared);
    sums = new MessageSums(shared.words);
    CopySteps copies = new CopySteps(shared);
    LaneOperands names = new LaneOperands(shared);
    LaneReadiness readiness =
        new LaneReadiness(shared, names, queues, completions, copies, updates, sums);
    missed = new MissedAwaits(settings.missing(), shared, names);
    openSteps = new OrderSensitiveSteps(model, names, updates, missed);
    lanes =
        new LaneSteps(
            shared,
            names,
            completions,
            copies,
            updates,
            missed,
            new SlotSteps(shared, names, updates, sums),
            new WordSteps(shared, names, updates),
            new PostingSteps(shared, names, ring, queues));
    callers = new CallerSteps(shared, lanes, settings);
    tasks = new StepCosting(model);
    together = new CoScheduledLanes(model, detectors);
    roster = new AgentNumbering(model, updates.on);
    standings = new ReadinessAnalysis(model, roster, readiness, stages, queues, completions);
    enabled =
        new EnabledAgents(
            shared,
            roster,
            readiness,
            stages,
            proxyStage,
            proxies,
            updates,
            together,
            settings.timeouts());
  }

  /** How many agents there are, enabled or not. */
  public int agents() {
    return roster.count;
  }

  /** Resets the state to its initial values. */
  public void start(MachineState s) {
    touched().clear();
    s.clear();
    origin.into(model, s);
    enabled.refreshAll(s);
  }

  /** Whether the agent is enabled. */
  public boolean enabled(MachineState s, int agent) {
    return enabled.contains(s, agent);
  }

  /** Enables the agent, or disables it for now. */
  public void mark(MachineState s, int agent, boolean goesOn) {
    enabled.mark(s, agent, goesOn);
  }

  /** Whether the result of the agent's step depends on when it is taken. */
  public boolean open(MachineState s, int agent) {
    if (roster.isLane(agent)) {
      return openSteps.open(s, agent) || endChooses(s, agent);
    }
    if (roster.isStage(agent)) {
      return stages.open(s, roster.queueOf(agent), roster.stageOf(agent));
    }
    if (roster.isCaller(agent)) {
      return callers.launchChooses(agent - roster.firstCaller);
    }
    return !roster.isProxy(agent) || faults.proxies;
  }

  /** Whether the agent is a lane at its end, which chooses the lanes that begin. */
  public boolean endChooses(MachineState s, int agent) {
    return roster.isLane(agent) && lanes.idle(s, agent) && callers.endChooses(s, model.rank(agent));
  }

  /** Whether the agent is a caller whose step decides whether launches go on. */
  public boolean decides(MachineState s, int agent) {
    return roster.isCaller(agent) && callers.decides(s, agent - roster.firstCaller);
  }

  /** Whether launches went on after the most that are explored. */
  public boolean limited() {
    return callers.limited();
  }

  /** The post-conditions whose condition held in some execution, one bit for each. */
  public long held() {
    return callers.held();
  }

  /** The most launches that are explored where their number is not fixed. */
  public int limit() {
    return callers.limit();
  }

  public void limit(int launches) {
    callers.limit(launches);
  }

  /** Notes the words that an agent's open step will read or change. */
  public void intent(MachineState s, int agent, StepFootprint into) {
    into.clear();
    if (roster.isLane(agent)) {
      openSteps.intent(s, agent, into);
    } else if (roster.isProxy(agent)) {
      proxies.intent(roster.queueOf(agent), into);
    } else if (roster.isUpdate(agent)) {
      updates.intent(s, agent - roster.firstUpdate, into);
    } else if (roster.isStage(agent)) {
      stages.intent(s, roster.queueOf(agent), roster.stageOf(agent), into);
    }
  }

  /** Whether a step consulted the clocks of all lanes since the last call. */
  public boolean asks() {
    return shared.words.asks();
  }

  /** Whether some combination of a sum was left out. */
  public boolean sumsCut() {
    return sums.cut();
  }

  /** Whether a packet's flag did not determine which bytes a move takes, and that was no race. */
  public boolean flagsRecur() {
    return shared.dataWords.recurs();
  }

  /** Whether unordered requests ever shared a component. */
  public boolean unorderedCut() {
    return queues.shared();
  }

  /** The words that steps have touched since the footprint was cleared. */
  public StepFootprint touched() {
    return shared.words.footprint;
  }

  /** Whether the agent's step is to give up, which commutes with no other step. */
  public boolean isTimeout(int agent) {
    return roster.isTimeout(agent);
  }

  /** The first of the agents that give up for a lane. */
  public int firstTimeout() {
    return roster.firstTimeout;
  }

  /** The agent's number after a renaming of ranks. */
  public int renamed(RankPermutation names, int agent) {
    return names.agent(roster, agent);
  }

  /** The kind and the size of an enabled agent's step. */
  public void work(MachineState s, int agent, StepWork into) {
    into.bytes = 0;
    if (roster.isLane(agent)) {
      tasks.of(s, agent, into);
    } else if (roster.isStage(agent)) {
      stages.work(s, roster.queueOf(agent), roster.stageOf(agent), into);
    } else {
      into.kind =
          roster.isCaller(agent)
              ? StepWork.Kind.CALL
              : roster.isTimeout(agent)
                  ? StepWork.Kind.TIMEOUT
                  : roster.isUpdate(agent) ? StepWork.Kind.UPDATE : StepWork.Kind.PROXY;
    }
  }

  /** Takes the agent's next step. */
  public void step(MachineState s, int agent, ChoiceSource branch) {
    if (faults.any) {
      count(s, agent);
    }
    int stepped = agent;
    if (roster.isLane(agent)) {
      lane(s, agent, branch);
    } else if (roster.isCaller(agent)) {
      int rank = agent - roster.firstCaller;
      callers.step(s, rank, branch);
      shared.enabledDirty.rank(rank);
    } else if (roster.isStage(agent)) {
      stages.step(s, roster.queueOf(agent), roster.stageOf(agent), branch);
    } else if (roster.isTimeout(agent)) {
      stepped = agent - roster.firstTimeout;
      giveUp(s, stepped, branch);
    } else if (roster.isUpdate(agent)) {
      stepped = -1;
      int lane = agent - roster.firstUpdate;
      updates.perform(s, lane, branch);
      shared.enabledDirty.rank(model.rank(lane));
    } else {
      stepped = -1;
      proxyStage.step(s, roster.queueOf(agent), roster.hands(agent));
    }
    enabled.refresh(s, stepped);
  }

  /** Counts a step for faults. The affected agents may become disabled, or enabled. */
  private void count(MachineState s, int agent) {
    if (faults.slow) {
      s.countStep();
    }
    if (roster.isLane(agent) || roster.isCaller(agent)) {
      int rank = roster.isLane(agent) ? model.rank(agent) : agent - roster.firstCaller;
      faults.step(s, rank);
      shared.enabledDirty.rank(rank);
    }
    if (faults.slow) {
      enabled.wakeAll();
    }
  }

  private void lane(MachineState s, int lane, ChoiceSource branch) {
    lanes.step(s, lane, branch);
    if (together.any) {
      together.synchronize(shared.clocks, s, lane);
    }
    int rank = model.rank(lane);
    if (s.ended[lane]) {
      callers.ended(s, rank, branch);
      shared.enabledDirty.rank(rank);
    }
    if (model.ordered) {
      drain(s, lane, branch);
    }
  }

  /** Where every access takes effect at once, so does every request. */
  private void drain(MachineState s, int lane, ChoiceSource branch) {
    for (int q = 0; q < model.agents.queues; q++) {
      boolean any = model.agents.queueLane[q] == lane;
      while (any) {
        any = false;
        for (int way = 0; proxies.on && way < 2; way++) {
          if (proxyStage.enabled(s, q, way == 0, false)) {
            proxyStage.step(s, q, way == 0);
            any = true;
          }
        }
        for (int stage = 0; stage < AgentNumbering.STAGES; stage++) {
          if (stages.enabled(s, q, stage, false)) {
            stages.step(s, q, stage, branch);
            shared.enabledDirty.queue(q);
            any = true;
          }
        }
      }
    }
  }

  private void giveUp(MachineState s, int lane, ChoiceSource branch) {
    shared.reports.gaveUp(s, lane);
    lanes.abandon(s, lane);
    int rank = model.rank(lane);
    s.aborted[rank] = true;
    callers.ended(s, rank, branch);
    shared.enabledDirty.rank(rank);
  }

  /** Whether the lane waits for something, and can still give up. */
  public boolean mayGiveUp(MachineState s, int lane) {
    return enabled.mayGiveUp(s, lane);
  }

  /** Whether the rank has crashed. */
  public boolean crashed(MachineState s, int rank) {
    return faults.any && faults.crashed(s, rank);
  }

  /** Whether the lane has only its last step left; a guided lane then waits for its next call. */
  public boolean idle(MachineState s, int lane) {
    return lanes.idle(s, lane);
  }

  /** Begins a guided lane's steps anew, with other values in the words that it counts in. */
  public void call(MachineState s, int lane, long[] words) {
    lanes.call(s, lane, words);
    shared.enabledDirty.rank(model.rank(lane));
    enabled.refresh(s, lane);
  }

  /** Lets a guided lane give up its wait, and so its call. */
  public void endCall(MachineState s, int lane) {
    shared.reports.gaveUp(s, lane);
    lanes.endCall(s, lane);
    shared.enabledDirty.rank(model.rank(lane));
    enabled.refresh(s, lane);
  }

  /** Called if no agent is enabled: whether an agent that was held back continues, or gives up. */
  public boolean enableAtQuiescence(MachineState s) {
    return enabled.enableAtQuiescence(s);
  }

  /** Reports the last so many steps as a round of the finding. */
  public void round(int steps) {
    shared.reports.round(steps);
  }

  /** Adds the contents of memory: every byte, and the last value of every synchronising word. */
  public void memory(MachineState s, Fingerprint into) {
    for (long octet : s.bytes) {
      into.add(octet & 0xFF);
    }
    for (int word = 0; word < model.words.count; word++) {
      into.add(shared.words.last(s, word));
    }
  }

  /** Called if no agent is enabled: the violation, or null if every launch has ended well. */
  public @Nullable Finding end(MachineState s) {
    if (missed.unfair(s)) {
      return null;
    }
    boolean given = true;
    for (int r = 0; r < model.world; r++) {
      if (!callers.through(s, r) && !crashed(s, r)) {
        return !detectors.finds(Kind.DEADLOCK)
            ? null
            : missed.on ? missed.finding() : deadlock().explain(s);
      }
      given &= !s.aborted[r] && !crashed(s, r);
    }
    // A rank that gave up or crashed returns nothing, and need not.
    int lock = given && detectors.finds(Kind.LEAK) ? shared.locks.held(s) : -1;
    if (lock < 0) {
      return null;
    }
    SyncWords words = shared.words;
    int last = words.count(s, lock) - 1;
    return shared.reports.leak(lock, words.number(s, lock, last), words.agent(s, lock, last));
  }

  /** The initial state of the next execution, after this finished one. */
  public InitialState left(MachineState s) {
    return InitialState.left(model, s, shared.words);
  }

  /** The waiting lanes of a deadlock. */
  public List<ExecutionRecord.Wait> waits(MachineState s) {
    return deadlock().waits(s);
  }

  private DeadlockExplainer deadlock() {
    return new DeadlockExplainer(shared, proxies, launches);
  }
}
