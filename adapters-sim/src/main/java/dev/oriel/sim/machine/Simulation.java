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
 * One program under one profile, ready to be executed again and again. Agents are numbered; whoever
 * searches says which takes its next step. For one thread at a time.
 */
public final class Simulation {

  /**
   * What an execution is subject to, besides its schedule.
   *
   * @param past how many launches, as an unsigned number, are taken to have been before: the first
   *     one has the epoch behind it
   * @param missing whether an await may miss every value that satisfies it, see {@link
   *     MissedAwaits}
   * @param draw which values words of inputs have that lanes load, see {@link
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
    /** More than a token may hold; each takes room in every rank. */
    private static final int MAX_LAUNCHES = 1 << 20;

    public Terms {
      if (launches > MAX_LAUNCHES) {
        throw new MachineException(
            "too many launches in one execution: launches=%d, max=%d; use fewer"
                .formatted(launches, MAX_LAUNCHES));
      }
    }

    /** Where nothing goes wrong, from the first launch on. */
    public Terms(Profile profile, int launches, Detectors detectors, Timeouts timeouts) {
      this(profile, launches, detectors, timeouts, FaultPlan.NONE, 0, false, 0);
    }

    /** The same with those faults. */
    public Terms with(FaultPlan plan) {
      return new Terms(profile, launches, detectors, timeouts, plan, past, missing, draw);
    }

    /** The same, looking for that. */
    public Terms looking(Detectors other) {
      return new Terms(profile, launches, other, timeouts, faults, past, missing, draw);
    }

    /** The same, where an await may miss every value that satisfies it. */
    public Terms missingAwaits() {
      return new Terms(profile, launches, detectors, timeouts, faults, past, true, draw);
    }

    /** The same with other values of words of inputs. */
    public Terms drawing(int other) {
      return new Terms(profile, launches, detectors, timeouts, faults, past, missing, other);
    }

    /** The same after that many launches. */
    public Terms after(long launchesBefore) {
      return new Terms(
          profile, launches, detectors, timeouts, faults, launchesBefore, missing, draw);
    }
  }

  /** Steps after which it is worth while to take note of them: see {@link #repeat}. */
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

  /** Whether what happens is written down. */
  private boolean told;

  /** Whether steps may be recalled; how many are taken before; and what recalls them. */
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
   * them; 0 where lanes load none.
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

  /** The queues of every rank, each rank's in the order that faults number them in. */
  public List<Connection> connections() {
    return IntStream.range(0, model.agents.queues)
        .mapToObj(
            q -> new Connection(model.rank(model.agents.queueLane[q]), model.agents.queuePeer[q]))
        .toList();
  }

  /** What that many launches leave behind. */
  static Origin left(WorldCode code, Topology topology, int launches) {
    Simulation run = new Simulation(code, topology, Past.running(launches), new Sizes());
    Past.run(run);
    return run.machine.left(run.state);
  }

  private Model newModel() {
    // A guided lane stands ready from the first to the last: who is at work is the guide's.
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

  /** What happens from here on hangs on more than the steps before: none is recalled. */
  private void leave() {
    state();
    recall = null;
    repeats = false;
  }

  /** The state as it is, for who looks at it between steps. */
  State state() {
    if (recall != null) {
      recall.settle();
    }
    return state;
  }

  /** Where what the state holds lies. */
  Model model() {
    return model;
  }

  private Reports reports(Model on, @Nullable Recorder recorder, @Nullable LongConsumer digests) {
    told = recorder != null;
    return new Reports(on, recorder, digests, guided == null ? null : guided.guide());
  }

  /** From now on, the guide tells lanes what to do next. */
  public void guide(Guide guide) {
    registrations = guide.registrations();
    guided = new Guided(guide, terms.timeouts(), machine, state);
    model = newModel();
    state = newState();
    become(machine(model, null));
  }

  /** Who tells lanes what to do next, if somebody does. */
  public Optional<Guide> guide() {
    return Optional.ofNullable(guided).map(Guided::guide);
  }

  private State newState() {
    return new State(model, !terms.detectors().finds(Finding.Kind.RACE));
  }

  /**
   * Runs a search to its end; where a part of the state turns out too small, makes it larger and
   * starts the search over.
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

  /** From now on, digests of what callers read from their outputs go there. */
  public void collect(LongConsumer digests) {
    outcomes = digests;
    become(machine(model, null));
  }

  public Terms terms() {
    return terms;
  }

  /**
   * From now on many executions begin at the start, and nobody looks at most of their states. After
   * so many steps, those that were taken before are recalled, where that is possible and pays; what
   * happens is the same.
   */
  public void repeat(long after) {
    boolean plain = guided == null && outcomes == null && !told;
    repeats = plain && Recall.possible(model, terms, machine.agents());
    warming = after;
  }

  /** How many steps were recalled since that is done. */
  public long recalled() {
    return recall == null ? 0 : recall.recalled();
  }

  /** Goes back to before anything happened. */
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

  /** How many agents can take a step. */
  public int enabled() {
    return state.enabledCount();
  }

  /** The enabled agent of that rank among the enabled ones, in the order of their numbers. */
  public int enabledAt(int rank) {
    return state.enabledAt(rank);
  }

  /** Whether what the agent's step finds depends on when it is taken. */
  public boolean open(int agent) {
    return machine.open(state(), agent) || (guided != null && guided.mayGiveUp(agent));
  }

  /** What the step of an enabled agent has to do. */
  public void work(int agent, Work into) {
    machine.work(state(), agent, into);
  }

  /** Whether some way to make up an awaited sum was left out in any execution so far. */
  public boolean sumsCut() {
    return machine.sumsCut();
  }

  /** Whether requests that overtake one another were not told apart in any execution so far. */
  public boolean looseCut() {
    return machine.looseCut();
  }

  /** Whether a lane that looks again and again was held back in any execution so far. */
  public boolean looksCut() {
    return guided != null && guided.cut();
  }

  /**
   * Of how many steps the round is that guided lanes have just ended, and in which whoever could go
   * on did and nobody got anywhere; 0 if they have ended none.
   */
  public int round() {
    return guided == null ? 0 : guided.round();
  }

  /** Whether the agent is a guided lane whose next step is to look at what is there. */
  public boolean looks(int agent) {
    return guided != null && guided.looks(agent);
  }

  /** Whether the agent is a lane, or what gives up for one. */
  public boolean ofLane(int agent) {
    return agent < model.lanes || machine.impatient(agent);
  }

  /** What steps have touched since it was cleared. */
  public Footprint touched() {
    return machine.touched();
  }

  /** Whether the agent's open step, if it is taken later, finds what it would find now. */
  public boolean commutes(int agent, Footprint touched, Footprint room) {
    machine.intent(state(), agent, room);
    return !machine.impatient(agent) && !touched.meets(room);
  }

  /** How many contexts of calls there are that some lane posts on to a peer. */
  public int contexts() {
    return Arrays.stream(model.agents.queueNumber).max().orElse(-1) + 1;
  }

  /** How many words a state takes: what it costs to keep and to compare one. */
  public long size() {
    return state.size();
  }

  /**
   * Takes the agent's next step.
   *
   * @return what is wrong, if anything; the execution has then ended
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

  /** Why the first execution did not come to its end that did not, if any. */
  public Optional<String> unended() {
    return unended;
  }

  /** Whether the last step did not come to its end: the execution cannot be judged. */
  public boolean endless() {
    return endless;
  }

  /** Nothing is enabled: whether lanes that wait give up now, so that the execution goes on. */
  public boolean goesOn() {
    return guided == null ? machine.patienceEnds(state) : guided.goesOn();
  }

  /** The execution has come to its end: what is wrong with that, if anything. */
  public Optional<Finding> end() {
    if (recall != null) {
      return Optional.ofNullable(recall.end());
    }
    return Optional.ofNullable(guided == null ? machine.end(state) : guided.end());
  }

  /** Feeds the state to a fingerprint. */
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

  /** Under how many renamings of ranks nothing changes, besides the one that renames none. */
  public int renamings() {
    return renamed().count();
  }

  /** Which renamings these are; or why there are none. */
  public String symmetries() {
    return renamed().text();
  }

  /**
   * Feeds the state to a fingerprint as it is when ranks are renamed; behind the last renaming, as
   * it is under its own names.
   */
  public void digest(int renaming, Fingerprint into) {
    renamed().digest(renaming, state(), into);
  }

  /**
   * Notes the few renamings that are enough to find one and the same among all that a state may be
   * called, and returns how many; there is room for one more than there are {@link #renamings}.
   */
  public int foremost(int[] into) {
    return renamed().foremost(state(), into);
  }

  /** What an agent is called when ranks are renamed. */
  public int renamed(int renaming, int agent) {
    return machine.renamed(renamed().at(renaming), agent);
  }

  /** Keeps the state as the one of that depth. */
  public void save(int depth) {
    saved.save(depth, state(), this::newState);
  }

  /**
   * Bytes that all kept states would take if this one were kept at that depth too, with what was
   * noted of them.
   */
  public long footprint(int depth) {
    return saved.footprint(depth, state()) + model.made.footprint() + model.origins.footprint();
  }

  /** Lets go of what only a search needs that was broken off; nothing is executed any more. */
  public void release() {
    saved.clear();
    recall = null;
    renamed = null;
  }

  /** Goes back to the state kept at that depth. */
  public void restore(int depth) {
    endless = false;
    leave();
    state.copy(saved.at(depth));
  }

  /** The register of that number of a lane, for those who look at outcomes. */
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

  /** Whether the rank goes on no more. */
  public boolean crashed(int rank) {
    return machine.crashed(state(), rank);
  }

  /** A guided lane begins its steps anew, its first states changed to those words. */
  public void call(int lane, long... words) {
    leave();
    machine.call(state, lane, words);
  }

  /** From now on the lane's requests name memory by those {@link Keys}. */
  public void name(int lane, long local, long remote) {
    Keys.name(state, lane, local, remote);
  }

  /** Gives bytes of a buffer of a rank a value that comes from nowhere; nobody notices. */
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

  /** What was found in an execution of which nothing was written down. */
  public Story untold(Finding finding) {
    return new Story(code, new Recorder(), Optional.of(finding), queues(), List.of());
  }

  /** Runs one execution with everything written down; {@code execution} drives this simulation. */
  public Story record(Supplier<Optional<Finding>> execution) {
    return exploring(() -> {
      // Made before there is something to tell: afterwards there may be no room for it.
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
   * Runs one execution on a machine that supplies that edge wherever it fits; {@code execution}
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
