package dev.oriel.sim.search;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.levels.BuildName;
import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.LevelMessage;
import dev.oriel.sim.levels.LevelPart;
import dev.oriel.sim.levels.NodeBlock;
import dev.oriel.sim.levels.SearchCuts;
import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.MemoFullException;
import dev.oriel.sim.machine.finding.StateCapacityException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.replay.ExecutionCase;
import dev.oriel.sim.replay.ReplayToken;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The successors of states of one search: a function of the job and the states. It is for one
 * thread at a time, and recalls steps from one call to the next.
 *
 * <p>States are expanded in the order of their paths, so each is reached from the last state that
 * it shares with the one before, and the successors are in the order of their paths, too.
 */
public final class LevelExpansion {
  /** The share of the heap that the recalled steps of each processor may take. */
  private static final int SHARE = 4;

  private static final long MOST_BYTES = 1L << 28;

  /** States between two looks at the clock. */
  private static final int ASK = 64;

  private final SearchPath path;
  private final Simulation simulation;
  private final int parts;

  /** What the call in progress came to, without the state in progress. */
  private long steps;

  private long executions;
  private long work;
  private boolean endless;
  private byte @Nullable [] violation;

  /** The rooms that the search needs, if they are more than it has. */
  private Map<String, Integer> rooms = Map.of();

  private VisitedStates reached = new VisitedStates(Long.MAX_VALUE);
  private NodeBlock.Builder[] successors = {};

  /** The successors of the state in progress, and what it came to. */
  private final NodeBlock.Builder own = new NodeBlock.Builder();

  private long stepsBefore;
  private long executionsBefore;
  private long ownWork;
  private boolean ownEndless;
  private byte @Nullable [] ownViolation;

  private LevelExpansion(Simulation simulation, int parts) {
    this.simulation = simulation;
    this.parts = parts;
    Runtime machine = Runtime.getRuntime();
    long bytes = Math.min(MOST_BYTES, machine.maxMemory() / SHARE / machine.availableProcessors());
    if (!simulation.versions(bytes)) {
      throw new AssertionError("the parts of steps are known to one worker only");
    }
    path = new SearchPath(simulation);
  }

  /**
   * The expansion of that job for so many parts.
   *
   * @throws MachineException if this worker has another version than the job
   */
  public static LevelExpansion of(SearchJob job, int parts) {
    SearchJob.require("release", job.release(), BuildName.get());
    Form form = FormParser.parse(job.form());
    ReplayToken token = ReplayToken.parse(job.token());
    ExecutionCase execution = token.of(form);
    Topology topology = Topology.of(token.world().facts());
    var lowered = SimulationFactory.lower(execution.program(), topology);
    SearchJob.require("lowered", job.lowered(), lowered.digest());
    Simulation simulation =
        SimulationFactory.of(
            execution.program(), topology, lowered, ProfileSpelling.of(execution), token.faults());
    return new LevelExpansion(simulation.with(job.rooms()), parts);
  }

  /** The message of the first state to each part; the first message has the count. */
  public LevelMessage[] first() {
    begin();
    try {
      arrive(path.first());
      commit();
    } catch (StateCapacityException e) {
      lackRoom();
    }
    return messages(0);
  }

  /**
   * The messages of a part's last level to each part; empty if the time was over before. The
   * message to the part itself has the count.
   *
   * @param depth the steps to each of the states
   */
  public Optional<LevelMessage[]> next(
      int part, NodeBlock frontier, int depth, BooleanSupplier over) {
    begin();
    if (!rooms.isEmpty()) {
      return Optional.of(messages(part));
    }
    try {
      for (int i = 0; i < frontier.count(); i++) {
        if (i % ASK == 0 && over.getAsBoolean()) {
          return Optional.empty();
        }
        expand(frontier.decisions(i), depth);
      }
    } catch (StateCapacityException e) {
      lackRoom();
    }
    return Optional.of(messages(part));
  }

  private void begin() {
    steps = 0;
    executions = 0;
    work = 0;
    endless = false;
    violation = null;
    reached = new VisitedStates(Long.MAX_VALUE);
    successors = new NodeBlock.Builder[parts];
    for (int i = 0; i < parts; i++) {
      successors[i] = new NodeBlock.Builder();
    }
    clear();
  }

  /**
   * Some state needs more room than the job has. The whole search begins anew with it, so nothing
   * more is expanded here.
   */
  private void lackRoom() {
    rooms = simulation.rooms();
  }

  private LevelMessage[] messages(int part) {
    LevelMessage[] messages = new LevelMessage[parts];
    for (int i = 0; i < parts; i++) {
      messages[i] = new LevelMessage(successors[i].build(), LevelCount.NONE);
    }
    SearchCuts cuts = JointSearch.cuts(simulation, true);
    messages[part] =
        new LevelMessage(
            messages[part].nodes(),
            new LevelCount(0, steps, executions, work, cuts, endless, violation, rooms));
    return messages;
  }

  private void expand(int[] decisions, int depth) {
    for (boolean fresh = false; ; fresh = true) {
      clear();
      try {
        takeSteps(decisions, depth);
        commit();
        return;
      } catch (MemoFullException e) {
        // Recalled steps are only forgotten, and the state is expanded anew.
        path.forget();
        if (fresh) {
          throw MachineException.lacking(
              "a state too large for a worker: depth=%d, heap=%d bytes; give workers more memory, or fewer threads"
                  .formatted(depth, Runtime.getRuntime().maxMemory()),
              e);
        }
      }
    }
  }

  private void takeSteps(int[] decisions, int depth) {
    path.reach(decisions, depth);
    path.open(depth, 0, simulation.enabled());
    while (path.left(depth)) {
      arrive(path.step(depth));
      path.next(depth);
    }
  }

  private void clear() {
    own.clear();
    stepsBefore = path.steps();
    executionsBefore = path.executions();
    ownWork = 0;
    ownEndless = false;
    ownViolation = null;
  }

  /**
   * Adds the state in progress to the call's result; the first path to a successor is the least.
   */
  private void commit() {
    steps += path.steps() - stepsBefore;
    executions += path.executions() - executionsBefore;
    work += ownWork;
    endless |= ownEndless;
    violation = violation == null ? ownViolation : violation;
    NodeBlock block = own.build();
    for (int i = 0; i < block.count(); i++) {
      if (reached.add(block.high(i), block.low(i))) {
        successors[LevelPart.of(block.high(i), parts)].add(block, i, true);
      }
    }
  }

  private void arrive(SearchPath.Arrival at) {
    switch (at) {
      case END -> {}
      case ENDLESS -> ownEndless = true;
      case FOUND -> {
        if (ownViolation == null) {
          NodeBlock.Builder found = new NodeBlock.Builder();
          node(found, 0, 0);
          ownViolation = found.build().path(0);
        }
      }
      case STATE -> {
        ownWork += simulation.size();
        Fingerprint fingerprint = path.fingerprint();
        node(own, fingerprint.high(), fingerprint.low());
      }
    }
  }

  private void node(NodeBlock.Builder into, long high, long low) {
    NodeBlock.Builder node = into.node(high, low);
    DecisionPath decisions = path.decisions();
    for (int i = 0; i < decisions.length(); i++) {
      node = node.decision(decisions.get(i));
    }
    node.end();
  }
}
