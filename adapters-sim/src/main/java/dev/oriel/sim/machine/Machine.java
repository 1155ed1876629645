package dev.oriel.sim.machine;

import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Edge;
import dev.oriel.sim.replay.Choices;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All agents as one transition system; {@link Roster} numbers them. A step takes one agent's next
 * transition, which must be enabled. A {@link Choices} resolves nondeterminism inside the step.
 */
public final class Machine {
  final Model model;
  final Standings standings;
  private final Shared shared;
  private final Origin origin;
  private final Detectors detectors;
  private final Faults faults;
  private final int launches;
  private final Roster roster;
  private final EnabledAgents enabled;
  private final Lanes lanes;
  private final OpenSteps openSteps;
  private final Sums sums;
  private final Queues queues;
  private final Callers callers;
  private final Stages stages;
  private final Updates updates;
  private final Proxies proxies;
  private final ProxyStage proxyStage;
  private final Tasks tasks;
  private final Together together;
  private final MissedAwaits missed;

  Machine(Model model, Simulation.Terms terms, Origin origin, Edge edge, Reports reports) {
    this.model = model;
    this.origin = origin;
    detectors = terms.detectors();
    launches = terms.launches();
    shared = new Shared(model, terms, edge, reports);
    faults = shared.faults;
    proxies = new Proxies(shared);
    Keys keys = new Keys(model, shared.memory);
    RequestRing ring = new RequestRing(model);
    QueueOrder order = new QueueOrder(model, shared.clocks, ring);
    queues = new Queues(shared, ring, proxies, keys);
    Completions completions = new Completions(shared, ring, order, proxies, edge);
    stages = new Stages(shared, ring, order, proxies, keys);
    proxyStage = new ProxyStage(shared, ring, order, proxies, completions);
    updates = new Updates(shared);
    sums = new Sums(shared.words);
    Copies copies = new Copies(shared);
    LaneOperands names = new LaneOperands(shared);
    Readiness readiness = new Readiness(shared, names, queues, completions, copies, updates, sums);
    missed = new MissedAwaits(terms.missing(), shared, names);
    openSteps = new OpenSteps(model, names, updates, missed);
    lanes =
        new Lanes(
            shared,
            names,
            completions,
            copies,
            updates,
            missed,
            new SlotSteps(shared, names, updates, sums),
            new WordSteps(shared, names, updates),
            new Posting(shared, names, ring, queues));
    callers = new Callers(shared, lanes, terms);
    tasks = new Tasks(model);
    together = new Together(model, detectors);
    roster = new Roster(model, updates.on);
    standings = new Standings(model, roster, readiness, stages, queues, completions);
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
            terms.timeouts());
  }

  /** How many agents there are, enabled or not. */
  int agents() {
    return roster.count;
  }

  /** Resets the state to its initial values. */
  void start(State s) {
    touched().clear();
    s.clear();
    origin.into(model, s);
    enabled.refreshAll(s);
  }

  /** Whether the agent is enabled. */
  boolean enabled(State s, int agent) {
    return enabled.contains(s, agent);
  }

  /** Enables the agent, or disables it for now. */
  void mark(State s, int agent, boolean goesOn) {
    enabled.mark(s, agent, goesOn);
  }

  /** Whether the result of the agent's step depends on when it is taken. */
  boolean open(State s, int agent) {
    if (roster.isLane(agent)) {
      return openSteps.open(s, agent);
    }
    if (roster.isStage(agent)) {
      return stages.open(s, roster.queueOf(agent), roster.stageOf(agent));
    }
    return roster.isProxy(agent) ? faults.proxies : !roster.isCaller(agent);
  }

  /** Notes the words that an agent's open step will read or change. */
  void intent(State s, int agent, Footprint into) {
    into.clear();
    if (roster.isLane(agent)) {
      openSteps.intent(s, agent, into);
    } else if (roster.isProxy(agent)) {
      proxies.intent(roster.queueOf(agent), into);
    } else if (roster.isUpdate(agent)) {
      updates.intent(s, agent - roster.firstUpdate, into);
    } else if (roster.isStage(agent)) {
      stages.intent(s, roster.queueOf(agent), into);
    }
  }

  /** Whether a step consulted the clocks of all lanes since the last call. */
  boolean asks() {
    return shared.words.asks();
  }

  /** Whether some combination of a sum was left out. */
  boolean sumsCut() {
    return sums.cut();
  }

  /** Whether unordered requests ever shared a component. */
  boolean looseCut() {
    return queues.shared();
  }

  /** The words that steps have touched since the footprint was cleared. */
  Footprint touched() {
    return shared.words.footprint;
  }

  /** Whether the agent's step is to give up, which commutes with no other step. */
  boolean impatient(int agent) {
    return roster.isPatience(agent);
  }

  /** The first of the agents that give up for a lane. */
  int firstPatience() {
    return roster.firstPatience;
  }

  /** The agent's number after a renaming of ranks. */
  int renamed(Relabelling names, int agent) {
    return roster.renamed(names, agent);
  }

  /** The kind and the size of an enabled agent's step. */
  void work(State s, int agent, Work into) {
    into.bytes = 0;
    if (roster.isLane(agent)) {
      tasks.of(s, agent, into);
    } else if (roster.isStage(agent)) {
      stages.work(s, roster.queueOf(agent), roster.stageOf(agent), into);
    } else {
      into.kind =
          roster.isCaller(agent)
              ? Work.Kind.CALL
              : roster.isPatience(agent)
                  ? Work.Kind.PATIENCE
                  : roster.isUpdate(agent) ? Work.Kind.UPDATE : Work.Kind.PROXY;
    }
  }

  /** Takes the agent's next step. */
  void step(State s, int agent, Choices branch) {
    if (faults.any) {
      count(s, agent);
    }
    int stepped = agent;
    if (roster.isLane(agent)) {
      lane(s, agent, branch);
    } else if (roster.isCaller(agent)) {
      int rank = agent - roster.firstCaller;
      callers.step(s, rank);
      shared.wakes.rank(rank);
    } else if (roster.isStage(agent)) {
      stages.step(s, roster.queueOf(agent), roster.stageOf(agent), branch);
    } else if (roster.isPatience(agent)) {
      stepped = agent - roster.firstPatience;
      giveUp(s, stepped);
    } else if (roster.isUpdate(agent)) {
      stepped = -1;
      int lane = agent - roster.firstUpdate;
      updates.perform(s, lane, branch);
      shared.wakes.rank(model.rank(lane));
    } else {
      stepped = -1;
      proxyStage.step(s, roster.queueOf(agent), roster.hands(agent));
    }
    enabled.refresh(s, stepped);
  }

  /** Counts a step for faults. The affected agents may become disabled, or enabled. */
  private void count(State s, int agent) {
    s.allSteps += faults.slow ? 1 : 0;
    if (roster.isLane(agent) || roster.isCaller(agent)) {
      int rank = roster.isLane(agent) ? model.rank(agent) : agent - roster.firstCaller;
      faults.step(s, rank);
      shared.wakes.rank(rank);
    }
    if (faults.slow) {
      enabled.wakeAll();
    }
  }

  private void lane(State s, int lane, Choices branch) {
    lanes.step(s, lane, branch);
    if (together.any) {
      together.told(shared.clocks, s, lane);
    }
    int rank = model.rank(lane);
    if (s.ended[lane]) {
      callers.ended(s, rank);
      shared.wakes.rank(rank);
    }
    if (model.ordered) {
      drain(s, lane, branch);
    }
  }

  /** Where every access takes effect at once, so does every request. */
  private void drain(State s, int lane, Choices branch) {
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
        for (int stage = 0; stage < Stages.COUNT; stage++) {
          if (stages.enabled(s, q, stage, false)) {
            stages.step(s, q, stage, branch);
            shared.wakes.queue(q);
            any = true;
          }
        }
      }
    }
  }

  private void giveUp(State s, int lane) {
    shared.reports.gaveUp(s, lane);
    lanes.abandon(s, lane);
    int rank = model.rank(lane);
    s.aborted[rank] = true;
    callers.ended(s, rank);
    shared.wakes.rank(rank);
  }

  /** Whether the lane waits for something, and can still give up. */
  boolean mayGiveUp(State s, int lane) {
    return enabled.mayGiveUp(s, lane);
  }

  /** Whether the rank has crashed. */
  boolean crashed(State s, int rank) {
    return faults.any && faults.crashed(s, rank);
  }

  /** Whether the lane has only its last step left; a guided lane then waits for its next call. */
  boolean idle(State s, int lane) {
    return lanes.idle(s, lane);
  }

  /** Begins a guided lane's steps anew, with other values in the words that it counts in. */
  void call(State s, int lane, long[] words) {
    lanes.call(s, lane, words);
    shared.wakes.rank(model.rank(lane));
    enabled.refresh(s, lane);
  }

  /** Lets a guided lane give up its wait, and so its call. */
  void endCall(State s, int lane) {
    shared.reports.gaveUp(s, lane);
    lanes.endCall(s, lane);
    shared.wakes.rank(model.rank(lane));
    enabled.refresh(s, lane);
  }

  /** Called if no agent is enabled: whether an agent that was held back continues, or gives up. */
  boolean patienceEnds(State s) {
    return enabled.patienceEnds(s);
  }

  /** Reports the last so many steps as a round of the finding. */
  void round(int steps) {
    shared.reports.round(steps);
  }

  /** Adds the contents of memory: every byte, and the last value of every synchronising word. */
  void memory(State s, Fingerprint into) {
    for (long octet : s.bytes) {
      into.add(octet & 0xFF);
    }
    for (int word = 0; word < model.words.count; word++) {
      into.add(shared.words.last(s, word));
    }
  }

  /** Called if no agent is enabled: the violation, or null if every launch has ended well. */
  @Nullable Finding end(State s) {
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
    return lock < 0 ? null : shared.reports.leak(s, lock, shared.words);
  }

  /** The initial state of the next execution, after this finished one. */
  Origin left(State s) {
    return Origin.left(model, s, shared.words);
  }

  /** The waiting lanes of a deadlock. */
  List<Story.Wait> waits(State s) {
    return deadlock().waits(s);
  }

  private Deadlock deadlock() {
    return new Deadlock(shared, proxies, launches);
  }
}
