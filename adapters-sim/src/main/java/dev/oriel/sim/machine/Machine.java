package dev.oriel.sim.machine;

import dev.oriel.sim.code.LaneCode;
import dev.oriel.sim.replay.Choices;
import dev.oriel.sim.replay.Timeouts;
import java.util.List;

/**
 * All agents as one transition system. A step takes one agent's next transition, which must be
 * enabled; what is left open inside it is asked of a {@link Choices}.
 *
 * <pre>
 * agents   lanes | callers | fetch, place, read, fill of each queue | patience of each lane
 *          | updates under way of each lane, where lanes issue any
 *          | hand, tell of each queue, where proxies post
 * </pre>
 */
public final class Machine {
  private static final int STAGES = 4;
  private static final long ALL_STAGES = (1L << STAGES) - 1;

  final Model model;
  private final Lanes lanes;
  private final Queues queues;
  private final Callers callers;
  private final Words words;
  private final DataWords dataWords;
  private final Wakes wakes;
  private final Reports reports;
  private final Timeouts timeouts;
  private final Detectors detectors;
  private final Faults faults;
  private final Origin origin;
  private final Updates updates;
  private final Proxies proxies;
  private final Tasks tasks;
  private final Clocks clocks;
  private final Together together;
  private final int firstCaller;
  private final int firstStage;
  private final int firstPatience;
  private final int firstUpdate;
  private final int firstProxy;
  private final int agentCount;
  private final int launches;

  /** Whether nothing but lanes, callers and queues decides who goes on. */
  private final boolean steady;

  /** The lane, caller or stage whose step this is; -1 if it is nobody's. */
  private int stepped;

  /** Whether nobody is held back just now, since nobody else can go on. */
  private boolean impatient;

  Machine(Model model, Simulation.Terms terms, Origin origin, Edge edge, Reports reports) {
    Kept kept = new Kept(edge.remedy(), terms.detectors());
    this.model = model;
    this.origin = origin;
    this.timeouts = terms.timeouts();
    faults = new Faults(model, terms.faults());
    steady = timeouts == Timeouts.NEVER && !faults.any;
    detectors = terms.detectors();
    this.reports = reports;
    launches = terms.launches();
    wakes = new Wakes(model);
    Shadow shadow = new Shadow(model, kept);
    Clocks clocks = new Clocks(model);
    Memory memory = new Memory(model, shadow, detectors, reports);
    words = new Words(model, clocks, detectors, wakes, kept, reports);
    dataWords = new DataWords(model, words, memory);
    proxies = new Proxies(model, clocks, words, wakes, faults, reports);
    queues =
        new Queues(
            model, memory, clocks, words, dataWords, wakes, faults, proxies, edge, kept, reports);
    updates = new Updates(model, clocks, words, dataWords, reports);
    Copies copies = new Copies(model, memory, clocks, words, dataWords);
    lanes =
        new Lanes(
            model, memory, clocks, words, dataWords, queues, copies, updates, faults, kept,
            reports);
    callers = new Callers(model, memory, dataWords, clocks, lanes, reports, terms);
    tasks = new Tasks(model);
    this.clocks = clocks;
    together = new Together(model, detectors);
    firstCaller = model.lanes;
    firstStage = firstCaller + model.world;
    firstPatience = firstStage + STAGES * model.agents.queues;
    firstUpdate = firstPatience + model.lanes;
    firstProxy = firstUpdate + (updates.on ? model.lanes : 0);
    agentCount = firstProxy + Proxies.agents(model);
  }

  /** How many agents there are, enabled or not. */
  int agents() {
    return agentCount;
  }

  /** Goes back to before anything happened. */
  void start(State s) {
    words.footprint.clear();
    s.clear();
    origin.into(model, s);
    refreshAll(s);
  }

  /** Whether the agent can take a step. */
  boolean enabled(State s, int agent) {
    return (s.enabled[agent >> 6] & 1L << agent) != 0;
  }

  /** Whether what the agent's step finds depends on when it is taken. */
  boolean open(State s, int agent) {
    if (agent < firstCaller) {
      return lanes.open(s, agent);
    }
    if (agent < firstStage) {
      return false;
    }
    if (agent >= firstProxy) {
      return faults.proxies;
    }
    if (agent >= firstPatience) {
      return true;
    }
    int queue = (agent - firstStage) / STAGES;
    return (agent - firstStage) % STAGES == 1 && queues.open(s, queue);
  }

  /** What that part of the state decides of who can go on, and where its lanes stand. */
  Standing standing(State s, int part, Locality locality) {
    if (part >= model.world) {
      int queue = part - model.world;
      long stages = ready(s, queue) << (firstStage + STAGES * queue);
      return Standing.ofQueue(queue, stages, queues.hasRoom(s, queue), queues.completed(s, queue));
    }
    int first = model.firstLane[part];
    int[] held = new int[model.firstLane[part + 1] - first];
    int[] lists = new int[held.length];
    for (int i = 0; i < held.length; i++) {
      int queue = lanes.heldBy(s, first + i);
      held[i] =
          queue >= 0
              ? Standing.heldBy(queue, lanes.posts(s, first + i))
              : lanes.enabled(s, first + i) ? Standing.GOES : Standing.STAYS;
      lists[i] = locality.ofLane(s, first + i, queue);
    }
    return new Standing(s.callerDue[part] ? 1L << (firstCaller + part) : 0, 0, held, lists);
  }

  /** The caller and the stages that belong to that part, one bit each. */
  long agentsOf(int part) {
    return part < model.world
        ? 1L << (firstCaller + part)
        : ALL_STAGES << (firstStage + STAGES * (part - model.world));
  }

  /** The list of parts that a step of a caller or a stage may read or write. */
  int touches(int agent, Locality locality) {
    return agent < firstStage
        ? agent - firstCaller
        : locality.ofStage((agent - firstStage) / STAGES, (agent - firstStage) % STAGES);
  }

  /** Whether a step has asked what all others know, since this was last asked. */
  boolean asks() {
    return words.asks();
  }

  /** Whether some way to make up a sum was left out. */
  boolean sumsCut() {
    return lanes.sumsCut();
  }

  /** What steps have touched since it was cleared. */
  Footprint touched() {
    return words.footprint;
  }

  /** Notes which words an agent's open step will read or change. */
  void intent(State s, int agent, Footprint into) {
    into.clear();
    if (agent < firstCaller) {
      lanes.intent(s, agent, into);
    } else if (agent >= firstProxy) {
      proxies.intent((agent - firstProxy) / 2, into);
    } else if (agent >= firstUpdate) {
      updates.intent(s, agent - firstUpdate, into);
    } else if (agent < firstPatience) {
      queues.intent(s, (agent - firstStage) / STAGES, into);
    }
  }

  /** Whether the agent's step is to give up, which commutes with nothing. */
  boolean impatient(int agent) {
    return agent >= firstPatience && agent < firstUpdate;
  }

  /** What an agent is called when ranks are renamed. */
  int renamed(Relabelling names, int agent) {
    if (agent < firstCaller) {
      return names.lane[agent];
    }
    if (agent < firstStage) {
      return firstCaller + names.rank[agent - firstCaller];
    }
    if (agent < firstPatience) {
      int stage = (agent - firstStage) % STAGES;
      return firstStage + STAGES * names.queue[(agent - firstStage) / STAGES] + stage;
    }
    if (agent >= firstProxy) {
      int which = (agent - firstProxy) % 2;
      return firstProxy + 2 * names.queue[(agent - firstProxy) / 2] + which;
    }
    int first = agent < firstUpdate ? firstPatience : firstUpdate;
    return first + names.lane[agent - first];
  }

  /** What the step of an enabled agent has to do. */
  void work(State s, int agent, Work into) {
    into.bytes = 0;
    if (agent < firstCaller) {
      tasks.of(s, agent, into);
    } else if (agent < firstStage) {
      into.kind = Work.Kind.CALL;
    } else if (agent < firstPatience) {
      int queue = (agent - firstStage) / STAGES;
      into.kind =
          switch ((agent - firstStage) % STAGES) {
            case 0 -> Work.Kind.FETCH;
            case 1 -> Work.Kind.PLACE;
            case 2 -> Work.Kind.READ;
            default -> Work.Kind.FILL;
          };
      into.bytes =
          switch (into.kind) {
            case PLACE -> queues.bytesOf(s, queue, queues.placeable(s, queue, 0));
            case FILL -> queues.bytesOf(s, queue, queues.fillable(s, queue));
            default -> 0;
          };
    } else {
      into.kind =
          agent < firstUpdate
              ? Work.Kind.PATIENCE
              : agent < firstProxy ? Work.Kind.UPDATE : Work.Kind.PROXY;
    }
  }

  /** Takes the agent's next step. */
  void step(State s, int agent, Choices branch) {
    stepped = agent < firstPatience ? agent : agent < firstUpdate ? agent - firstPatience : -1;
    if (faults.any) {
      count(s, agent);
    }
    if (agent < firstCaller) {
      lane(s, agent, branch);
    } else if (agent < firstStage) {
      int rank = agent - firstCaller;
      callers.step(s, rank);
      wakes.rank(rank);
    } else if (agent < firstPatience) {
      stage(s, (agent - firstStage) / STAGES, (agent - firstStage) % STAGES, branch);
    } else if (agent < firstUpdate) {
      giveUp(s, agent - firstPatience);
    } else if (agent >= firstProxy) {
      proxy(s, (agent - firstProxy) / 2, (agent - firstProxy) % 2 == 0);
    } else {
      int lane = agent - firstUpdate;
      updates.perform(s, lane, branch);
      wakes.rank(model.rank(lane));
    }
    refresh(s);
  }

  /** Faults strike by counts; whom they struck may no longer, or only now, be enabled. */
  private void count(State s, int agent) {
    s.allSteps += faults.slow ? 1 : 0;
    if (agent < firstStage) {
      int rank = agent < firstCaller ? model.rank(agent) : agent - firstCaller;
      faults.step(s, rank);
      wakes.rank(rank);
    }
    if (faults.slow) {
      wakeAll();
    }
  }

  private void wakeAll() {
    for (int r = 0; r < model.world; r++) {
      wakes.rank(r);
    }
    for (int q = 0; q < model.agents.queues; q++) {
      wakes.queue(q);
    }
  }

  private void lane(State s, int lane, Choices branch) {
    lanes.step(s, lane, branch);
    if (together.any) {
      together.told(clocks, s, lane);
    }
    int rank = model.rank(lane);
    if (s.ended[lane]) {
      callers.ended(s, rank);
      wakes.rank(rank);
    }
    if (model.profile.ordered()) {
      drain(s, lane, branch);
    }
  }

  /** Where every access takes its place at once, so does every request. */
  private void drain(State s, int lane, Choices branch) {
    for (int q = 0; q < model.agents.queues; q++) {
      boolean any = model.agents.queueLane[q] == lane;
      while (any) {
        any = false;
        for (int way = 0; proxies.on && way < 2; way++) {
          if (proxyEnabled(s, q, way == 0)) {
            proxy(s, q, way == 0);
            any = true;
          }
        }
        for (int stage = 0; stage < STAGES; stage++) {
          if (stageEnabled(s, q, stage)) {
            stage(s, q, stage, branch);
            wakes.queue(q);
            any = true;
          }
        }
      }
    }
  }

  private void proxy(State s, int queue, boolean hands) {
    if (hands) {
      queues.hand(s, queue);
    } else {
      queues.tell(s, queue);
    }
  }

  private boolean proxyEnabled(State s, int queue, boolean hands) {
    return proxies.goesOn(s, queue, impatient)
        && (hands ? queues.handable(s, queue) : queues.tellable(s, queue));
  }

  private void stage(State s, int queue, int stage, Choices branch) {
    switch (stage) {
      case 0 -> queues.fetch(s, queue, branch);
      case 1 -> {
        int ways = 1;
        while (model.agents.looseCount > 0 && queues.placeable(s, queue, ways) >= 0) {
          ways++;
        }
        queues.place(s, queue, queues.placeable(s, queue, ways == 1 ? 0 : branch.choose(ways)));
      }
      case 2 -> queues.read(s, queue, queues.readable(s, queue), branch);
      default -> queues.fill(s, queue, queues.fillable(s, queue));
    }
    if (model.profile.ordered()) {
      queues.over(s, queue);
    }
  }

  private boolean stageEnabled(State s, int queue, int stage) {
    return switch (stage) {
      case 0 -> queues.fetchable(s, queue, impatient);
      case 1 -> queues.placeable(s, queue, 0) >= 0;
      case 2 -> model.agents.read[queue] >= 0 && queues.readable(s, queue) >= 0;
      default -> model.agents.read[queue] >= 0 && queues.fillable(s, queue) >= 0;
    };
  }

  private void giveUp(State s, int lane) {
    reports.gaveUp(s, lane);
    lanes.abandon(s, lane);
    int rank = model.rank(lane);
    s.aborted[rank] = true;
    callers.ended(s, rank);
    wakes.rank(rank);
  }

  /** Where the agents begin that give up for a lane. */
  int firstPatience() {
    return firstPatience;
  }

  /** Whether the lane waits for something, and can still be told not to. */
  boolean mayGiveUp(State s, int lane) {
    return lanes.waits(s, lane) && !crashed(s, model.rank(lane));
  }

  /** Whether the rank goes on no more. */
  boolean crashed(State s, int rank) {
    return faults.any && faults.crashed(s, rank);
  }

  /** Whether the lane stands behind its last step but one: a guided one waits for its next call. */
  boolean idle(State s, int lane) {
    return lanes.idle(s, lane);
  }

  /** A guided lane begins its steps anew, with other values in the words that it counts in. */
  void call(State s, int lane, long[] words) {
    stepped = lane;
    lanes.call(s, lane, words);
    wakes.rank(model.rank(lane));
    refresh(s);
  }

  /** A guided lane gives up what it waits for, and so its call. */
  void endCall(State s, int lane) {
    stepped = lane;
    reports.gaveUp(s, lane);
    lanes.endCall(s, lane);
    wakes.rank(model.rank(lane));
    refresh(s);
  }

  private void refresh(State s) {
    if (together.any) {
      wakeAll();
    }
    if (stepped >= 0 && stepped < firstCaller) {
      wakeLane(s, stepped);
    } else if (stepped >= firstStage) {
      int queue = (stepped - firstStage) / STAGES;
      refreshQueue(s, queue);
      wakeLane(s, model.agents.queueLane[queue]);
    }
    for (int l = wakes.nextLane(); l >= 0; l = wakes.nextLane()) {
      wakeLane(s, l);
    }
    for (int r = wakes.nextCaller(); r >= 0; r = wakes.nextCaller()) {
      mark(s, firstCaller + r, s.callerDue[r] && !absent(s, r));
    }
    for (int q = wakes.nextQueue(); q >= 0; q = wakes.nextQueue()) {
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

  private void wakeLane(State s, int lane) {
    if (!staysEnabled(s, lane)) {
      refreshLane(s, lane);
    }
    if (updates.on) {
      mark(s, firstUpdate + lane, updates.any(s, lane));
    }
  }

  /** Only its own steps, and locks that others take, hold up a lane that can go on. */
  private boolean staysEnabled(State s, int lane) {
    return enabled(s, lane) && lane != stepped && steady && !lanes.locks(s, lane);
  }

  private void refreshLane(State s, int lane) {
    int rank = model.rank(lane);
    boolean absent = absent(s, rank);
    mark(s, lane, !absent && lanes.enabled(s, lane));
    if (!steady) {
      boolean mayGiveUp = timeouts == Timeouts.ANY || s.aborted[rank];
      mark(s, firstPatience + lane, !absent && mayGiveUp && lanes.waits(s, lane));
    }
  }

  private boolean absent(State s, int rank) {
    return faults.any && (faults.crashed(s, rank) || (!impatient && faults.straggles(s, rank)));
  }

  private void refreshQueue(State s, int queue) {
    if (proxies.on) {
      mark(s, firstProxy + 2 * queue, proxyEnabled(s, queue, true));
      mark(s, firstProxy + 2 * queue + 1, proxyEnabled(s, queue, false));
    }
    long ready = ready(s, queue);
    int first = firstStage + queue * STAGES;
    int word = first >> 6;
    s.enabled[word] = (s.enabled[word] & ~(ALL_STAGES << first)) | (ready << first);
    int over = (first & 63) + STAGES - 64;
    if (over > 0) {
      long high = (1L << over) - 1;
      s.enabled[word + 1] = (s.enabled[word + 1] & ~high) | (ready >>> (STAGES - over));
    }
  }

  /** Which stages of the queue can take a step, one bit each. */
  long ready(State s, int queue) {
    long ready = 0;
    if (!queues.idle(s, queue)) {
      int stages = model.agents.read[queue] >= 0 ? STAGES : 2;
      for (int stage = 0; stage < stages; stage++) {
        ready |= stageEnabled(s, queue, stage) ? 1L << stage : 0;
      }
    }
    return ready;
  }

  /** Says that the agent can, or for now shall not, take a step. */
  void mark(State s, int agent, boolean enabled) {
    long bit = 1L << agent;
    long others = s.enabled[agent >> 6] & ~bit;
    s.enabled[agent >> 6] = enabled ? others | bit : others;
  }

  private void refreshAll(State s) {
    stepped = -1;
    wakeAll();
    refresh(s);
  }

  /**
   * Nothing is enabled: who was only held back goes on now; if there is nobody, lanes that wait may
   * give up, if they ever do. Whether anybody goes on.
   */
  boolean patienceEnds(State s) {
    if (faults.slow) {
      impatient = true;
      refreshAll(s);
      impatient = false;
      for (long word : s.enabled) {
        if (word != 0) {
          return true;
        }
      }
    }
    boolean any = false;
    for (int l = 0; timeouts != Timeouts.NEVER && l < model.lanes; l++) {
      boolean may = mayGiveUp(s, l);
      mark(s, firstPatience + l, may);
      any |= may;
    }
    return any;
  }

  /** Nothing is enabled: what is wrong with that, or null if every launch has ended well. */
  @org.jspecify.annotations.Nullable
  Finding end(State s) {
    boolean given = true;
    for (int r = 0; r < model.world; r++) {
      if (!callers.through(s, r) && !crashed(s, r)) {
        return detectors.finds(Finding.Kind.DEADLOCK) ? deadlock().explain(s) : null;
      }
      given &= !s.aborted[r] && !crashed(s, r);
    }
    // Who gives up or is gone gives nothing back, and is not asked to.
    int lock = given && detectors.finds(Finding.Kind.LEAK) ? words.held(s) : -1;
    return lock < 0 ? null : reports.leak(s, lock, words);
  }

  /** What the execution, which has come to its end, leaves behind. */
  Origin left(State s) {
    return Origin.left(model, s, words);
  }

  private Deadlock deadlock() {
    return new Deadlock(model, words, dataWords, faults, proxies, launches, reports);
  }

  /** Who waits in a deadlock. */
  List<Simulation.Wait> waits(State s) {
    return deadlock().waits(s);
  }

  /** Who the agent is and what it does next, for traces. */
  String describe(State s, int agent) {
    if (agent < firstCaller) {
      LaneCode code = model.lane(agent);
      return "rank=%d, lane=%s, launch=%d: %s"
          .formatted(code.rank(), code.label(), s.launched[code.rank()], code.text(s.at[agent]));
    }
    if (agent < firstStage) {
      return "rank=%d, caller".formatted(agent - firstCaller);
    }
    if (agent >= firstProxy) {
      int queue = (agent - firstProxy) / 2;
      return "proxy of %s to rank %d %s"
          .formatted(
              model.laneName(model.agents.queueLane[queue]),
              model.agents.queuePeer[queue],
              (agent - firstProxy) % 2 == 0 ? "hands on" : "tells");
    }
    if (agent >= firstUpdate) {
      return model.laneName(agent - firstUpdate) + " performs an update";
    }
    if (agent >= firstPatience) {
      return model.laneName(agent - firstPatience) + " gives up";
    }
    int queue = (agent - firstStage) / STAGES;
    String[] names = {"fetches", "places", "reads", "fills"};
    return "queue of %s to rank %d %s"
        .formatted(
            model.laneName(model.agents.queueLane[queue]),
            model.agents.queuePeer[queue],
            names[(agent - firstStage) % STAGES]);
  }
}
