package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.finding.Endless;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.finding.Recorder;
import dev.oriel.sim.machine.finding.Story;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.Agents;
import dev.oriel.sim.machine.layout.Grow;
import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.Sizes;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Edge;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Choices;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.Timeouts;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One program under one profile, ready to be executed again and again. Agents are numbered; the
 * search chooses the one that takes the next step. An instance is for one thread at a time.
 */
public final class Simulation {

  /**
   * The conditions of an execution, besides its schedule.
   *
   * @param past how many launches, as an unsigned number, are assumed to have run before; the first
   *     launch has the next epoch
   * @param missing whether an await may miss every value that satisfies it, see {@link
   *     MissedAwaits}
   * @param draw the number of the draw of input words that lanes load, see {@link
   *     dev.oriel.sim.machine.provenance.Inputs}
   */
  public record Terms(
      Profile profile,
      int launches,
      Detectors detectors,
      Timeouts timeouts,
      FaultPlan faults,
      long past,
      boolean missing,
      int draw) {
    /** More launches than a token may hold; each takes room in every rank. */
    private static final int MAX_LAUNCHES = 1 << 20;

    public Terms {
      if (launches > MAX_LAUNCHES) {
        throw new MachineException(
            "too many launches in one execution: launches=%d, max=%d; use fewer"
                .formatted(launches, MAX_LAUNCHES));
      }
    }

    /** Conditions without faults, from the first launch on. */
    public Terms(Profile profile, int launches, Detectors detectors, Timeouts timeouts) {
      this(profile, launches, detectors, timeouts, FaultPlan.NONE, 0, false, 0);
    }

    /** The same with those faults. */
    public Terms with(FaultPlan plan) {
      return new Terms(profile, launches, detectors, timeouts, plan, past, missing, draw);
    }

    /** The same, with other detectors. */
    public Terms looking(Detectors other) {
      return new Terms(profile, launches, other, timeouts, faults, past, missing, draw);
    }

    /** The same, where an await may miss every value that satisfies it. */
    public Terms missingAwaits() {
      return new Terms(profile, launches, detectors, timeouts, faults, past, true, draw);
    }

    /** The same with another draw of input words. */
    public Terms drawing(int other) {
      return new Terms(profile, launches, detectors, timeouts, faults, past, missing, other);
    }

    /** The same after that many earlier launches. */
    public Terms after(long launchesBefore) {
      return new Terms(
          profile, launches, detectors, timeouts, faults, launchesBefore, missing, draw);
    }
  }

  /** The number of steps after which recording them pays: see {@link #repeat}. */
  public static final long WARMING = 1 << 17;

  private final WorldCode code;
  private final Topology topology;
  private final Terms terms;
  private final Sizes sizes;
  private final SavedStates saved = new SavedStates();
  private final Origin origin;
  private Model model;
  private Machine machine;
  private State state;
  private boolean endless;
  private Optional<String> unended = Optional.empty();
  private @Nullable RenamedState renamed;
  private @Nullable LongConsumer outcomes;
  private @Nullable Guided guided;

  /** See {@link Guide#registrations}. */
  private int registrations = -1;

  /** Whether events are recorded. */
  private boolean told;

  /** Whether steps may be recalled; how many steps precede that; and the memo of steps. */
  private boolean repeats;

  private long warming;
  private @Nullable Recall recall;

  public Simulation(Program program, Topology topology, LoweredForm lowered, Terms terms) {
    this(new WorldCode(program, lowered), topology, terms, new Sizes());
  }

  Simulation(WorldCode code, Topology topology, Terms terms, Sizes sizes) {
    this.sizes = sizes;
    this.code = code;
    this.topology = topology;
    this.terms = terms;
    origin = Past.of(terms.past(), launches -> left(code, topology, launches));
    model = newModel();
    machine = machine(model, null);
    state = newState();
  }

  /**
   * How many draws of inputs give every word that lanes load each of the values that matter to
   * them; 0 if lanes load none.
   */
  public int roundOfDraws() {
    return model.inputs.round();
  }

  /** Whether lanes wait for packets. */
  public boolean hasPackets() {
    return Arrays.stream(model.scan.format).anyMatch(format -> format >= 0);
  }

  /** A queue from a rank to a peer. */
  public record Connection(int rank, int peer) {}

  /** The queues of every rank, in the order in which faults number them. */
  public List<Connection> connections() {
    return IntStream.range(0, model.agents.queues)
        .mapToObj(
            q -> new Connection(model.rank(model.agents.queueLane[q]), model.agents.queuePeer[q]))
        .toList();
  }

  /** The initial state after that many launches. */
  static Origin left(WorldCode code, Topology topology, int launches) {
    Simulation run = new Simulation(code, topology, Past.running(launches), new Sizes());
    Past.run(run);
    return run.machine.left(run.state);
  }

  private Model newModel() {
    // Guided lanes are all resident from begin to end: the guide decides which of them work.
    Profile profile = guided == null ? terms.profile() : terms.profile().allResident();
    return new Model(code, topology, profile, sizes, registrations, terms.draw());
  }

  private Machine machine(Model on, @Nullable Recorder recorder) {
    return new Machine(on, terms, origin, Edge.NONE, reports(on, recorder, outcomes));
  }

  private void become(Machine other) {
    leave();
    machine = other;
  }

  /** Stops recalling steps: what follows depends on more than the steps before. */
  private void leave() {
    state();
    recall = null;
    repeats = false;
  }

  /** The current state, for inspection between steps. */
  State state() {
    if (recall != null) {
      recall.settle();
    }
    return state;
  }

  /** The layout of the state. */
  Model model() {
    return model;
  }

  private Reports reports(Model on, @Nullable Recorder recorder, @Nullable LongConsumer digests) {
    told = recorder != null;
    return new Reports(on, recorder, digests, guided == null ? null : guided.guide());
  }

  /** From now on, the guide gives lanes their calls. */
  public void guide(Guide guide) {
    registrations = guide.registrations();
    guided = new Guided(guide, terms.timeouts(), machine, state);
    model = newModel();
    state = newState();
    become(machine(model, null));
  }

  /** The guide of the lanes, if there is one. */
  public Optional<Guide> guide() {
    return Optional.ofNullable(guided).map(Guided::guide);
  }

  private State newState() {
    return new State(model, !terms.detectors().finds(Finding.Kind.RACE));
  }

  /**
   * Runs a search to its end. If a part of the state is too small, it is enlarged and the search
   * starts over.
   */
  public <T> T exploring(Supplier<T> search) {
    while (true) {
      try {
        return search.get();
      } catch (Grow grown) {
        model = newModel();
        machine = machine(model, null);
        recall = null;
        state = newState();
        saved.clear();
        renamed = null;
      }
    }
  }

  /** From now on, passes digests of the outputs that callers read to {@code digests}. */
  public void collect(LongConsumer digests) {
    outcomes = digests;
    become(machine(model, null));
  }

  public Terms terms() {
    return terms;
  }

  /**
   * Prepares for many executions from the start, most of whose states are not inspected. After so
   * many steps, earlier steps are recalled where that is possible and pays. The executions are the
   * same.
   */
  public void repeat(long after) {
    boolean plain = guided == null && outcomes == null && !told;
    repeats = plain && Recall.possible(model, terms, machine.agents());
    warming = after;
  }

  /** How many steps were recalled, since recalling began. */
  public long recalled() {
    return recall == null ? 0 : recall.recalled();
  }

  /** Resets the state to its initial values. */
  public void restart() {
    endless = false;
    if (recall != null && recall.pays()) {
      recall.restart();
      return;
    }
    repeats &= recall == null;
    recall = null;
    machine.start(state);
    if (repeats && warming <= 0) {
      recall = new Recall(machine, state);
    }
    if (guided != null) {
      guided.restart(machine, state, told);
    }
  }

  /** How many agents there are. */
  public int agents() {
    return machine.agents();
  }

  /** How many agents are enabled. */
  public int enabled() {
    return state.enabledCount();
  }

  /** The enabled agent of that rank among the enabled ones, in the order of their numbers. */
  public int enabledAt(int rank) {
    return state.enabledAt(rank);
  }

  /** Whether the result of the agent's step depends on when it is taken. */
  public boolean open(int agent) {
    return machine.open(state(), agent) || (guided != null && guided.mayGiveUp(agent));
  }

  /** Describes the kind and the size of an enabled agent's step. */
  public void work(int agent, Work into) {
    machine.work(state(), agent, into);
  }

  /** Whether some combination of an awaited sum was left out in any execution so far. */
  public boolean sumsCut() {
    return machine.sumsCut();
  }

  /** Whether requests that overtake one another ever shared a component in any execution so far. */
  public boolean looseCut() {
    return machine.looseCut();
  }

  /** Whether a lane that polls again and again was held back in any execution so far. */
  public boolean looksCut() {
    return guided != null && guided.cut();
  }

  /**
   * The number of steps of the round that guided lanes have just completed. In it every enabled
   * agent took a step and none made progress; 0 if there is no such round.
   */
  public int round() {
    return guided == null ? 0 : guided.round();
  }

  /** Whether the agent is a guided lane whose next step is a poll. */
  public boolean looks(int agent) {
    return guided != null && guided.looks(agent);
  }

  /** Whether the agent is a lane, or gives up for one. */
  public boolean ofLane(int agent) {
    return agent < model.lanes || machine.impatient(agent);
  }

  /** The words that steps have touched since the footprint was cleared. */
  public Footprint touched() {
    return machine.touched();
  }

  /** Whether the agent's open step has the same result now and after those steps. */
  public boolean commutes(int agent, Footprint touched, Footprint room) {
    machine.intent(state(), agent, room);
    return !machine.impatient(agent) && !touched.meets(room);
  }

  /** The number of contexts on which some lane posts to a peer. */
  public int contexts() {
    return Arrays.stream(model.agents.queueNumber).max().orElse(-1) + 1;
  }

  /** The number of words of a state: the cost to save and to compare one. */
  public long size() {
    return state.size();
  }

  /**
   * Takes the agent's next step.
   *
   * @return the violation, if any; the execution has then ended
   */
  public Optional<Finding> step(int agent, Choices branch) {
    try {
      if (recall != null) {
        recall.step(agent, branch);
      } else if (guided == null) {
        warming--;
        machine.step(state, agent, branch);
      } else {
        guided.step(agent, branch);
      }
      return Optional.empty();
    } catch (FindingException e) {
      if (terms.detectors().finds(e.finding().kind())) {
        return Optional.of(e.finding());
      }
      return unended("what is not looked for ended it: " + e.finding().kind().word());
    } catch (Endless e) {
      return unended(String.valueOf(e.getMessage()));
    }
  }

  private Optional<Finding> unended(String why) {
    endless = true;
    unended = unended.or(() -> Optional.of(why));
    return Optional.empty();
  }

  /** Why the first execution without an end did not end, if there was one. */
  public Optional<String> unended() {
    return unended;
  }

  /** Whether the last step did not end: the execution then has no result. */
  public boolean endless() {
    return endless;
  }

  /**
   * Called if no agent is enabled: whether waiting lanes give up now, and the execution continues.
   */
  public boolean goesOn() {
    return guided == null ? machine.patienceEnds(state) : guided.goesOn();
  }

  /** The violation at the end of the execution, if any. */
  public Optional<Finding> end() {
    if (recall != null) {
      return Optional.ofNullable(recall.end());
    }
    return Optional.ofNullable(guided == null ? machine.end(state) : guided.end());
  }

  /** Adds the state to a fingerprint. */
  public void digest(Fingerprint into) {
    state().digest(into);
    if (guided != null) {
      guided.digest(into);
    }
  }

  private RenamedState renamed() {
    RenamedState found = renamed == null ? new RenamedState(model, terms, newState()) : renamed;
    renamed = found;
    return found;
  }

  /** The number of renamings of ranks that are symmetries, besides the identity. */
  public int renamings() {
    return renamed().count();
  }

  /** A description of the symmetries; or why there are none. */
  public String symmetries() {
    return renamed().text();
  }

  /**
   * Adds the renamed state to a fingerprint; after the last symmetry, the state under its own
   * names.
   */
  public void digest(int renaming, Fingerprint into) {
    renamed().digest(renaming, state(), into);
  }

  /**
   * Notes the few renamings that suffice to find one representative among all renamed versions of
   * the state, and returns their number. The array needs room for one more than {@link #renamings}.
   */
  public int foremost(int[] into) {
    return renamed().foremost(state(), into);
  }

  /** The agent's number after a renaming of ranks. */
  public int renamed(int renaming, int agent) {
    return machine.renamed(renamed().at(renaming), agent);
  }

  /** Saves the state as the one of that depth. */
  public void save(int depth) {
    saved.save(depth, state(), this::newState);
  }

  /**
   * Bytes that all saved states would take if this one were saved at that depth too, with their
   * provenance.
   */
  public long footprint(int depth) {
    return saved.footprint(depth, state()) + model.made.footprint() + model.origins.footprint();
  }

  /** Drops what only an aborted search needs; no execution may follow. */
  public void release() {
    saved.clear();
    recall = null;
    renamed = null;
  }

  /** Restores the state saved at that depth. */
  public void restore(int depth) {
    endless = false;
    leave();
    state.copy(saved.at(depth));
  }

  /** The register of that number of a lane, for tests of outcomes. */
  public long register(int lane, int number) {
    return state().registers[model.firstRegister[lane] + number];
  }

  /** A byte of a buffer of a rank: its value in the low 8 bits. */
  public long octet(int rank, int buffer, int offset) {
    return state().bytes[model.firstByte[rank * model.buffers + buffer] + offset];
  }

  /** Whether a guided lane has begun, and waits for its next call. */
  public boolean idle(int lane) {
    return machine.idle(state(), lane);
  }

  /** Whether the rank has crashed. */
  public boolean crashed(int rank) {
    return machine.crashed(state(), rank);
  }

  /** Begins a guided lane's steps anew, with its first states set to those words. */
  public void call(int lane, long... words) {
    leave();
    machine.call(state, lane, words);
  }

  /** From now on the lane's requests use those {@link Keys}. */
  public void name(int lane, long local, long remote) {
    Keys.name(state, lane, local, remote);
  }

  /** Sets bytes of a buffer of a rank without an origin; this counts as no access. */
  public void fill(int rank, int buffer, int offset, byte[] bytes) {
    leave();
    int at = model.firstByte[rank * model.buffers + buffer] + offset;
    for (int i = 0; i < bytes.length; i++) {
      state.bytes[at + i] = bytes[i] & 0xFF;
    }
  }

  /** The compiled program. */
  public WorldCode code() {
    return code;
  }

  private List<Story.Queue> queues() {
    Agents agents = model.agents;
    return IntStream.range(0, agents.queues)
        .mapToObj(
            q -> new Story.Queue(agents.queueLane[q], agents.queuePeer[q], agents.queueNumber[q]))
        .toList();
  }

  /** A story for a finding of an execution that was not recorded. */
  public Story untold(Finding finding) {
    return new Story(code, new Recorder(), Optional.of(finding), queues(), List.of());
  }

  /** Runs one execution with a recorder; {@code execution} drives this simulation. */
  public Story record(Supplier<Optional<Finding>> execution) {
    return exploring(() -> {
      // Made before the execution, since afterwards there may be no room for it.
      Machine plain = machine(model, null);
      Recorder recorder = new Recorder();
      become(machine(model, recorder));
      try {
        Optional<Finding> finding = execution.get();
        boolean stuck = finding.filter(f -> f.kind() == Finding.Kind.DEADLOCK).isPresent();
        List<Story.Wait> waits = stuck ? machine.waits(state) : List.of();
        return new Story(code, recorder, finding, queues(), waits);
      } finally {
        become(plain);
        told = false;
      }
    });
  }

  /**
   * Runs one execution on a machine that supplies that edge wherever it applies; {@code execution}
   * drives this simulation.
   */
  public Optional<Finding> with(Edge edge, Supplier<Optional<Finding>> execution) {
    return exploring(() -> {
      become(new Machine(model, terms, origin, edge, reports(model, new Recorder(), null)));
      try {
        return execution.get();
      } finally {
        become(machine(model, null));
      }
    });
  }
}
