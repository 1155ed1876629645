package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.Ensure;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.agent.SimulatedMachine;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.finding.EndlessLaneException;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.finding.ExecutionRecorder;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.FindingException;
import dev.oriel.sim.machine.finding.MemoFullException;
import dev.oriel.sim.machine.finding.StateCapacityException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.launch.InitialState;
import dev.oriel.sim.machine.launch.LaunchClosure;
import dev.oriel.sim.machine.launch.LaunchRelativeDigest;
import dev.oriel.sim.machine.layout.AgentLayout;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.StateCapacities;
import dev.oriel.sim.machine.memo.StepMemo;
import dev.oriel.sim.machine.memo.VersionStack;
import dev.oriel.sim.machine.memory.MemoryKeys;
import dev.oriel.sim.machine.provenance.InputContents;
import dev.oriel.sim.machine.rankcode.DrivenLanes;
import dev.oriel.sim.machine.report.FindingReporter;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.machine.settings.SuppliedOrder;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.machine.state.SavedStates;
import dev.oriel.sim.machine.step.StepFootprint;
import dev.oriel.sim.machine.step.StepWork;
import dev.oriel.sim.machine.symmetry.PermutedState;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
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
  /** The number of steps after which recording them pays: see {@link #repeat}. */
  public static final long WARMING = 1 << 17;

  private final WorldCode code;
  private final Topology topology;
  private final ExecutionSettings settings;
  private final StateCapacities sizes;
  private final SavedStates saved = new SavedStates();
  private final InitialState origin;
  private MachineModel model;
  private SimulatedMachine machine;
  private MachineState state;
  private boolean endless;
  private Optional<String> unended = Optional.empty();
  private @Nullable PermutedState renamed;
  private @Nullable LongConsumer outcomes;
  private @Nullable DrivenLanes guided;

  /** See {@link LaneDriver#registrations}. */
  private int registrations = -1;

  /** Digests without the launches before; made at the first one. */
  private @Nullable LaunchRelativeDigest relative;

  private final LaunchClosure.Growth growth;

  /** Whether events are recorded. */
  private boolean recording;

  /** Whether steps may be recalled; how many steps precede that; and the memo of steps. */
  private boolean repeats;

  private long warming;
  private @Nullable StepMemo recall;

  /** Bytes that versions of parts may take; 0 if states are saved as a whole. */
  private long versionBytes;

  /** The saved states as versions of their parts, of which {@code recall} knows the contents. */
  private @Nullable VersionStack versions;

  public Simulation(
      Program program, Topology topology, LoweredForm lowered, ExecutionSettings settings) {
    this(new WorldCode(program, lowered), topology, settings, new StateCapacities());
  }

  public Simulation(
      WorldCode code, Topology topology, ExecutionSettings settings, StateCapacities sizes) {
    this(code, topology, settings, sizes, LaunchExtrapolation.of(code, topology, settings.past()));
  }

  private Simulation(
      WorldCode code,
      Topology topology,
      ExecutionSettings settings,
      StateCapacities sizes,
      InitialState origin) {
    this.sizes = sizes;
    this.code = code;
    this.topology = topology;
    this.settings = settings;
    growth = new LaunchClosure.Growth(code, launches -> unjudged(code, topology, launches));
    this.origin = origin;
    model = newModel();
    machine = machine(model, null);
    state = newState();
  }

  /** Whether lanes load words of inputs. */
  public boolean loadsWords() {
    return model.inputs.round() > 0;
  }

  /**
   * How many draws of inputs give every word that lanes read each of the values that matter to
   * them; 0 if lanes read none.
   */
  public int roundOfDraws() {
    return model.inputs.roundOfAll();
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

  /** Runs launches of that code. */
  static LaunchExtrapolation.Launches launches(WorldCode code, Topology topology) {
    return new LaunchExtrapolation.Launches() {
      @Override
      public InitialState first(int count) {
        return more(InitialState.ZERO, 0, count);
      }

      @Override
      public InitialState more(InitialState from, long past, int count) {
        return left(code, topology, LaunchExtrapolation.running(count).after(past), from);
      }

      @Override
      public BitSet read() {
        return InitialState.read(code);
      }
    };
  }

  /** The same, without a judgement of outputs. */
  private static InitialState unjudged(WorldCode code, Topology topology, int launches) {
    ExecutionSettings settings = LaunchExtrapolation.running(launches);
    DetectorSet detectors = settings.detectors().without(Finding.Kind.VALUE);
    return left(code, topology, settings.looking(detectors), InitialState.ZERO);
  }

  /** The initial state after the launches of one execution under those settings. */
  private static InitialState left(
      WorldCode code, Topology topology, ExecutionSettings settings, InitialState origin) {
    Simulation run = new Simulation(code, topology, settings, new StateCapacities(), origin);
    LaunchExtrapolation.run(run);
    return run.machine.left(run.state);
  }

  private MachineModel newModel() {
    // Guided lanes are all resident from begin to end: the guide decides which of them work.
    Profile profile = guided == null ? settings.profile() : settings.profile().allResident();
    return new MachineModel(code, topology, profile, sizes, registrations, settings.draw());
  }

  private SimulatedMachine machine(MachineModel on, @Nullable ExecutionRecorder recorder) {
    return new SimulatedMachine(
        on, settings, origin, SuppliedOrder.NONE, reports(on, recorder, outcomes));
  }

  private void become(SimulatedMachine other) {
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
  MachineState state() {
    if (recall != null) {
      recall.settle();
    }
    return state;
  }

  /** The layout of the state. */
  MachineModel model() {
    return model;
  }

  private FindingReporter reports(
      MachineModel on, @Nullable ExecutionRecorder recorder, @Nullable LongConsumer digests) {
    recording = recorder != null;
    return new FindingReporter(on, recorder, digests, guided == null ? null : guided.guide());
  }

  /** From now on, the guide gives lanes their calls. */
  public void guide(LaneDriver guide) {
    registrations = guide.registrations();
    guided = new DrivenLanes(guide, settings.timeouts(), machine, state);
    model = newModel();
    state = newState();
    become(machine(model, null));
  }

  /** The guide of the lanes, if there is one. */
  public Optional<LaneDriver> guide() {
    return Optional.ofNullable(guided).map(DrivenLanes::guide);
  }

  private MachineState newState() {
    return new MachineState(model, !settings.detectors().finds(Finding.Kind.RACE));
  }

  /**
   * Runs a search to its end. If a part of the state is too small, it is enlarged and the search
   * starts over.
   */
  public <T> T exploring(Supplier<T> search) {
    while (true) {
      try {
        return search.get();
      } catch (StateCapacityException grown) {
        model = newModel();
        machine = machine(model, null);
        if (relative != null) {
          forget(LaunchClosure.of(model, settings, growth));
        }
        recall = null;
        versions = null;
        state = newState();
        saved.clear();
        renamed = null;
        // A larger state may have parts that no memo knows.
        boolean known = StepMemo.possible(model, settings, machine.agents());
        versionBytes = known ? versionBytes : 0;
        repeats &= known;
      } catch (MemoFullException full) {
        whole();
      }
    }
  }

  /**
   * For a search that saves states and neither renames nor distributes them: from the next restart
   * on, states are saved and digested as versions of their parts, where the parts of all steps are
   * known. The search is the same. If versions take more than so many bytes, or few steps are
   * recalled, {@link #exploring} starts the search over with whole states.
   *
   * @return whether the parts of all steps are known
   */
  public boolean versions(long bytes) {
    boolean plain = guided == null && outcomes == null && !recording;
    boolean possible =
        plain && relative == null && StepMemo.possible(model, settings, machine.agents());
    versionBytes = possible ? bytes : 0;
    return possible;
  }

  /**
   * A simulation of the same program from its start, for another thread. Both share only the
   * compiled program, which does not change. Its states have as much room as these, so equal states
   * of both have equal digests as versions of their parts.
   */
  public Simulation another() {
    return new Simulation(code, topology, settings, sizes.copy());
  }

  /**
   * A simulation of the same program from its start, whose parts have those rooms. Equal states of
   * simulations with equal rooms have equal digests.
   */
  public Simulation with(Map<String, Integer> rooms) {
    return new Simulation(code, topology, settings, StateCapacities.of(rooms));
  }

  /** The rooms of the parts of a state. */
  public Map<String, Integer> rooms() {
    return sizes.rooms();
  }

  /** Whether states are versions of their parts now. */
  public boolean inVersions() {
    return versions != null;
  }

  /** Ends {@link #versions}: from the next restart on, states are saved as a whole. */
  public void whole() {
    if (versionBytes > 0) {
      versionBytes = 0;
      recall = null;
      versions = null;
      machine.start(state);
    }
  }

  /** From now on, passes digests of the outputs that callers read to {@code digests}. */
  public void collect(LongConsumer digests) {
    outcomes = digests;
    become(machine(model, null));
  }

  public ExecutionSettings settings() {
    return settings;
  }

  /**
   * Prepares for many executions from the start, most of whose states are not inspected. After so
   * many steps, earlier steps are recalled where that is possible and pays. The executions are the
   * same.
   */
  public void repeat(long after) {
    boolean plain = guided == null && outcomes == null && !recording;
    repeats = plain && StepMemo.possible(model, settings, machine.agents());
    warming = after;
  }

  /** How many steps were recalled, since recalling began. */
  public long recalled() {
    return recall == null ? 0 : recall.recalled();
  }

  /** Resets the state to its initial values. */
  public void restart() {
    endless = false;
    if (versionBytes > 0) {
      machine.start(state);
      StepMemo memo = StepMemo.saving(machine, state, versionBytes / Long.BYTES);
      recall = memo;
      versions = new VersionStack(memo);
      return;
    }
    if (recall != null && recall.pays()) {
      recall.restart();
      return;
    }
    repeats &= recall == null;
    recall = null;
    machine.start(state);
    if (repeats && warming <= 0) {
      recall = new StepMemo(machine, state);
    }
    if (guided != null) {
      guided.restart(machine, state, recording);
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
  public void work(int agent, StepWork into) {
    machine.work(state(), agent, into);
  }

  /** Whether some combination of an awaited sum was left out in any execution so far. */
  public boolean sumsCut() {
    return machine.sumsCut();
  }

  /**
   * Whether, in any execution so far, a packet's flag came again to a place that still held it and
   * races were not looked for, or a move took a packet that was written in parts. Moves that take
   * packets are then no longer steps whose result is the same at any time, as a search of every
   * order of synchronisation counts them. Unless memory is in order, no search covers all their
   * results.
   */
  public boolean flagsRecur() {
    return machine.flagsRecur();
  }

  /** Whether requests that overtake one another ever shared a component in any execution so far. */
  public boolean unorderedCut() {
    return machine.unorderedCut();
  }

  /** The post-conditions of the program, in the order of their numbers. */
  public List<Ensure> ensures() {
    return model.code.form().ensures();
  }

  /** The post-conditions whose condition held in some execution so far, one bit for each. */
  public long held() {
    return machine.held();
  }

  /** Whether a lane that polls again and again was held back in any execution so far. */
  public boolean pollsCut() {
    return guided != null && guided.cut();
  }

  /**
   * Whether moves may take other packets than in the executions of a search so far. Every order of
   * every step shows all of them where memory is in order.
   *
   * @param full whether the search explores every order of every step
   */
  public boolean packetsCut(boolean full) {
    return flagsRecur() && !(full && settings.profile().ordered());
  }

  /** Whether a search of every order of every step is incomplete although it ended. */
  public boolean anyCut() {
    return sumsCut() || packetsCut(true) || unorderedCut() || pollsCut();
  }

  /**
   * The number of steps of the round that guided lanes have just completed. In it every enabled
   * agent took a step and none made progress; 0 if there is no such round.
   */
  public int round() {
    return guided == null ? 0 : guided.round();
  }

  /** Whether the agent is a guided lane whose next step is a poll. */
  public boolean polls(int agent) {
    return guided != null && guided.polls(agent);
  }

  /** Whether the agent is a lane, or gives up for one. */
  public boolean ofLane(int agent) {
    return agent < model.lanes || machine.isTimeout(agent);
  }

  /**
   * Prepares for states that differ only in how many launches preceded, which then have one
   * fingerprint. Returns the reason why that is not possible; empty if it is.
   */
  public String forgetLaunches() {
    if (!settings.closing()) {
      return "the number of launches is fixed";
    }
    LaunchClosure closure = LaunchClosure.of(model, settings, growth);
    forget(closure);
    return closure.against();
  }

  private void forget(LaunchClosure closure) {
    relative = closure.digest();
    machine.limit(Math.min(closure.enough(), settings.launches()));
  }

  /**
   * Why the states that were digested do not stand for any number of launches; empty if they do.
   */
  public String whyOpen() {
    if (machine.limited()) {
      return "states differ after %d launches".formatted(machine.limit());
    }
    return relative == null ? "" : relative.doubt();
  }

  /** The greatest number of launches that any rank began. */
  public int launch() {
    return Math.min(Arrays.stream(state().launched).max().orElse(0), lastLaunch());
  }

  /**
   * The draw of inputs in which launches have the words that were chosen in this execution; 0 if no
   * words were chosen.
   */
  public long chosenDraw() {
    boolean chose = settings.closing() && loadsWords();
    return chose ? InputContents.draw(state().turns[0], launch()) : 0;
  }

  private int lastLaunch() {
    return state().last[0] == 0 ? settings.launches() : state().last[0];
  }

  /** Whether the agent is a caller whose step decides whether launches go on. */
  public boolean decides(int agent) {
    return settings.closing() && machine.decides(state(), agent);
  }

  /** The words that steps have touched since the footprint was cleared. */
  public StepFootprint touched() {
    return machine.touched();
  }

  /**
   * Whether the agent's open step has the same result now and after those steps. The end of a lane
   * may choose the lanes that begin, and these depend on the ends of others.
   */
  public boolean commutes(int agent, StepFootprint touched, StepFootprint room) {
    if (machine.isTimeout(agent) || machine.endChooses(state(), agent)) {
      return false;
    }
    machine.intent(state(), agent, room);
    return !touched.meets(room);
  }

  /** The number of contexts on which some lane posts to a peer. */
  public int contexts() {
    return Arrays.stream(model.agents.queueNumber).max().orElse(-1) + 1;
  }

  /** The number of words of a state: the cost to save and to compare one. */
  public long size() {
    return versions == null ? state.size() : versions.width();
  }

  /**
   * Takes the agent's next step.
   *
   * @return the violation, if any; the execution has then ended
   */
  public Optional<Finding> step(int agent, ChoiceSource branch) {
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
      if (settings.detectors().finds(e.finding().kind())) {
        return Optional.of(e.finding());
      }
      return unended(
          "the execution ended with a finding of a kind that this check ignores: "
              + e.finding().kind().word());
    } catch (EndlessLaneException e) {
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
    return guided == null ? machine.enableAtQuiescence(state) : guided.goesOn();
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
    if (relative != null) {
      relative.digest(state(), into);
      return;
    }
    if (versions != null) {
      versions.digest(into);
      return;
    }
    state().digest(into);
    if (guided != null) {
      guided.digest(into);
    }
  }

  private PermutedState renamed() {
    PermutedState found =
        renamed == null ? new PermutedState(model, settings, newState()) : renamed;
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
    if (versions != null) {
      versions.save(depth);
      return;
    }
    saved.save(depth, state(), this::newState);
  }

  /**
   * Bytes that all saved states would take if this one were saved at that depth too, with their
   * provenance.
   */
  public long footprint(int depth) {
    long states = versions == null ? saved.footprint(depth, state()) : versions.footprint(depth);
    return states + sharedBytes();
  }

  /** Bytes of one saved state, on average. */
  public double savedBytes() {
    return versions == null
        ? (double) saved.bytes() / Math.max(1, saved.count())
        : versions.bytes();
  }

  /** Bytes that all saved states share. */
  public long sharedBytes() {
    long records = versions == null ? 0 : versions.sharedBytes();
    return records + model.made.footprint() + model.origins.footprint();
  }

  /** Drops what only an aborted search needs; no execution may follow. */
  public void release() {
    saved.clear();
    versions = null;
    recall = null;
    renamed = null;
  }

  /** Restores the state saved at that depth. */
  public void restore(int depth) {
    endless = false;
    if (versions != null) {
      versions.restore(depth);
      return;
    }
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

  /** From now on the lane's requests use those {@link MemoryKeys}. */
  public void name(int lane, long local, long remote) {
    MemoryKeys.name(state, lane, local, remote);
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

  private List<ExecutionRecord.Queue> queues() {
    AgentLayout agents = model.agents;
    return IntStream.range(0, agents.queues)
        .mapToObj(q ->
            new ExecutionRecord.Queue(
                agents.queueLane[q], agents.queuePeer[q], agents.queueNumber[q]))
        .toList();
  }

  /** A story for a finding of an execution that was not recorded. */
  public ExecutionRecord unrecorded(Finding finding) {
    return new ExecutionRecord(
        code, new ExecutionRecorder(), Optional.of(finding), queues(), List.of());
  }

  /** Runs one execution with a recorder; {@code execution} drives this simulation. */
  public ExecutionRecord record(Supplier<Optional<Finding>> execution) {
    return exploring(() -> {
      // Made before the execution, since afterwards there may be no room for it.
      SimulatedMachine plain = machine(model, null);
      ExecutionRecorder recorder = new ExecutionRecorder();
      become(machine(model, recorder));
      try {
        Optional<Finding> finding = execution.get();
        boolean stuck = finding.filter(f -> f.kind() == Finding.Kind.DEADLOCK).isPresent();
        List<ExecutionRecord.Wait> waits = stuck ? machine.waits(state) : List.of();
        return new ExecutionRecord(code, recorder, finding, queues(), waits);
      } finally {
        become(plain);
        recording = false;
      }
    });
  }

  /**
   * Runs one execution on a machine that supplies that edge wherever it applies; {@code execution}
   * drives this simulation.
   */
  public Optional<Finding> with(SuppliedOrder edge, Supplier<Optional<Finding>> execution) {
    return exploring(() -> {
      become(
          new SimulatedMachine(
              model, settings, origin, edge, reports(model, new ExecutionRecorder(), null)));
      try {
        return execution.get();
      } finally {
        become(machine(model, null));
      }
    });
  }
}
