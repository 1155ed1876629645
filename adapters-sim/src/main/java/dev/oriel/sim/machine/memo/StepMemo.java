package dev.oriel.sim.machine.memo;

import dev.oriel.sim.machine.agent.PartReadiness;
import dev.oriel.sim.machine.agent.SimulatedMachine;
import dev.oriel.sim.machine.agent.StepLocality;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.finding.MemoFullException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.memo.StatePart.Version;
import dev.oriel.sim.machine.rows.InternedSnapshots;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.state.MachineState;
import dev.oriel.sim.replay.ChoiceSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executions that compute each kind of step once. A step reads certain parts of the state. If an
 * earlier step of its agent read the same contents, it has the same effect, and is recalled instead
 * of taken. Most steps of random executions of one program are such steps, in other orders.
 *
 * <p>The state's arrays are correct only after {@link #settle}; the enabled agents always are. A
 * step is not recalled if it made a choice, found a violation, or consulted clocks outside its
 * parts.
 */
public final class StepMemo {
  /** Words that all records may take: a small share of the heap. */
  private static final long MAX_SIZE =
      Math.min(1 << 22, Runtime.getRuntime().maxMemory() / (16 * Long.BYTES));

  /** Words of a version besides its part's contents: its index entry and its decisions. */
  private static final int VERSION = 32;

  /** Taking and recording a new step costs as much as taking so many. */
  private static final int COST = 16;

  /** How much may be spent on new steps before it is gained back. */
  private static final long MAX_CREDIT = 1 << 20;

  /** The end of an execution, in place of an agent. */
  private static final int END = -1;

  private static final int UNKNOWN = -1;

  private final SimulatedMachine machine;
  private final MachineModel model;
  private final MachineState s;
  private final StepLocality locality;
  private final StatePart[] parts;
  private final InternedSnapshots releases;
  private final InternedSnapshots causes;
  private final StepTable steps = new StepTable();

  /** By number of a version: the contents of one part, and the decisions that follow from them. */
  private final List<Version> versions = new ArrayList<>();

  /** By part: the numbers of its versions. */
  private final List<Map<Version, Integer>> numbers = new ArrayList<>();

  private PartReadiness[] standings = new PartReadiness[64];

  /** By number of a version: the digest of its part, both halves; empty if states have none. */
  private long[] digests = {};

  /** All parts; and for each part, the agents and facts that belong to it. */
  private final int[] every;

  private final long[] agents;
  private final long[] facts;

  /** By part: its current version, and the version in the state's arrays. */
  private final int[] current;

  private final int[] loaded;

  /** For each agent: the list of parts of its next step. For each lane: the fact it waits for. */
  private final int[] lists;

  private final int[] held;
  private long known = 1L << PartReadiness.GOES;

  private final int[] origin;
  private long size;
  private long credit = MAX_CREDIT;
  private long recalled;

  /** Whether only the arrays hold the state, up to the end of an execution. */
  private boolean alone;

  /** Words that all records may take. */
  private final long room;

  /** Whether states are saved and digested, which needs every state as versions. */
  private final boolean exhaustive;

  private final Fingerprint fingerprint = new Fingerprint();

  /** Creates the memo of random executions, for a state in which no step was taken. */
  public StepMemo(SimulatedMachine machine, MachineState s) {
    this(machine, s, MAX_SIZE, false);
  }

  /** Creates the memo of a search that saves states, in so many words. */
  public static StepMemo saving(SimulatedMachine machine, MachineState s, long room) {
    return new StepMemo(machine, s, room, true);
  }

  private StepMemo(SimulatedMachine machine, MachineState s, long room, boolean exhaustive) {
    this.room = room;
    this.exhaustive = exhaustive;
    this.machine = machine;
    this.model = machine.model;
    this.s = s;
    if (!StatePart.holdAll(s)) {
      throw new AssertionError("state that no part holds");
    }
    locality = new StepLocality(model);
    releases = new InternedSnapshots(s.releases);
    causes = new InternedSnapshots(s.causes);
    int queues = model.agents.queues;
    parts = new StatePart[model.world + queues];
    every = new int[parts.length];
    agents = new long[parts.length];
    facts = new long[parts.length];
    for (int p = 0; p < parts.length; p++) {
      every[p] = p;
      numbers.add(new HashMap<>());
      boolean rank = p < model.world;
      parts[p] = rank ? StatePart.rank(model, s, p) : StatePart.queue(model, s, p - model.world);
      agents[p] = machine.standings.agentsOf(p);
      facts[p] = rank ? 0 : 3L << PartReadiness.heldBy(p - model.world, true);
    }
    held = new int[model.lanes];
    lists = new int[machine.agents()];
    for (int a = model.lanes; a < machine.firstTimeout(); a++) {
      lists[a] = machine.standings.touches(a, locality);
    }
    loaded = new int[parts.length];
    Arrays.fill(loaded, UNKNOWN);
    current = note(every);
    System.arraycopy(current, 0, loaded, 0, loaded.length);
    origin = current.clone();
    restart();
  }

  /** Whether the parts of all steps are known, and the agents fit into one word. */
  public static boolean possible(MachineModel model, ExecutionSettings settings, int agents) {
    return model.flat
        && !settings.closing()
        && agents <= Long.SIZE
        && model.agents.queues <= PartReadiness.QUEUES
        && StepLocality.known(model, settings);
  }

  /** Whether recording still pays, and has room. */
  public boolean pays() {
    return credit > 0 && words() <= room;
  }

  /** How many words all records take. */
  long words() {
    return size + steps.size() + releases.size() + causes.size();
  }

  /** How many numbers name a state: the version of each part. */
  int width() {
    return current.length;
  }

  /** Writes the numbers that name the current state. */
  void save(int[] into, int at) {
    System.arraycopy(current, 0, into, at, current.length);
  }

  /** Returns to the state of those numbers. */
  void restore(int[] from, int at) {
    // A step that ended in a finding may have enabled or disabled agents of any part.
    boolean all = alone;
    reread();
    long changed = 0;
    for (int p = 0; p < parts.length; p++) {
      if (all || current[p] != from[at + p]) {
        become(p, from[at + p]);
        changed |= 1L << p;
      }
    }
    for (; changed != 0; changed &= changed - 1) {
      lanes(Long.numberOfTrailingZeros(changed));
    }
  }

  /**
   * Adds the digest of the current state: the sum of the digests of its parts, which were taken
   * when each version was first met. A part's digest mixes its number in, so equal contents of two
   * parts do not stand for each other. Equal states have equal parts, hence equal sums. Two
   * different states have the same sum only if sums of unrelated numbers of 128 bits happen to be
   * equal.
   */
  void digest(Fingerprint into) {
    long high = 0;
    long low = 0;
    for (int version : current) {
      high += digests[2 * version];
      low += digests[2 * version + 1];
    }
    into.add(high);
    into.add(low);
  }

  /** How many steps were recalled. */
  public long recalled() {
    return recalled;
  }

  /** Resets the state to its initial values. */
  public void restart() {
    machine.touched().clear();
    reread();
    for (int p = 0; p < parts.length; p++) {
      become(p, origin[p]);
    }
    for (int p = 0; p < model.world; p++) {
      lanes(p);
    }
  }

  /** Forgets what only the arrays hold. */
  private void reread() {
    if (alone) {
      alone = false;
      releases.drop();
      causes.drop();
      Arrays.fill(loaded, UNKNOWN);
    }
  }

  /** Makes the state's arrays correct. */
  public void settle() {
    for (int p = 0; !alone && p < parts.length; p++) {
      if (loaded[p] != current[p]) {
        parts[p].load(versions.get(current[p]), inArrays(p));
        loaded[p] = current[p];
      }
    }
  }

  /** The version that the part's arrays hold, or held before the step that is taken. */
  private @Nullable Version inArrays(int part) {
    return loaded[part] == UNKNOWN ? null : versions.get(loaded[part]);
  }

  /** Takes the agent's next step. */
  public void step(int agent, ChoiceSource branch) {
    int[] touched = locality.lists[lists[agent]];
    int after = alone ? 0 : steps.find(agent, touched, current);
    if (after == 0) {
      take(agent, touched, branch);
      return;
    }
    recalled++;
    credit = Math.min(credit + 1, MAX_CREDIT);
    for (int i = 0; i < touched.length; i++) {
      become(touched[i], steps.at(after + i));
    }
    for (int part : touched) {
      lanes(part);
    }
  }

  /** The violation at the end of an execution, or null. */
  public @Nullable Finding end() {
    if (!alone && steps.find(END, every, current) != 0) {
      return null;
    }
    settle();
    Finding finding = machine.end(s);
    if (finding == null && !alone) {
      steps.add(END, current, current);
    }
    return finding;
  }

  /** Sets the part to that version. */
  private void become(int part, int version) {
    current[part] = version;
    PartReadiness standing = standings[version];
    s.enabled[0] = (s.enabled[0] & ~agents[part]) | standing.agents();
    known = (known & ~facts[part]) | standing.facts();
    int first = part < model.world ? model.firstLane[part] : 0;
    for (int i = 0; i < standing.held().length; i++) {
      held[first + i] = standing.held()[i];
      lists[first + i] = standing.lists()[i];
    }
  }

  /** Recomputes which lanes that depend on the part are enabled. */
  private void lanes(int part) {
    if (part >= model.world) {
      lane(model.agents.queueLane[part - model.world]);
      return;
    }
    for (int l = model.firstLane[part]; l < model.firstLane[part + 1]; l++) {
      lane(l);
    }
  }

  private void lane(int lane) {
    s.enabled[0] = (s.enabled[0] & ~(1L << lane)) | ((known >>> held[lane] & 1) << lane);
  }

  /** Takes a step that cannot be recalled, and records it for the next time. */
  private void take(int agent, int[] touched, ChoiceSource branch) {
    settle();
    if (exhaustive && !pays()) {
      throw new MemoFullException();
    }
    if (alone || !pays()) {
      alone = true;
      machine.step(s, agent, branch);
      return;
    }
    credit -= COST;
    int[] before = new int[touched.length];
    for (int i = 0; i < before.length; i++) {
      before[i] = current[touched[i]];
    }
    boolean[] drawn = new boolean[1];
    alone = true;
    machine.asks();
    machine.step(
        s,
        agent,
        options -> {
          drawn[0] = true;
          return branch.choose(options);
        });
    boolean asked = machine.asks();
    alone = false;
    int[] after = note(touched);
    for (int i = 0; i < after.length; i++) {
      become(touched[i], after[i]);
      loaded[touched[i]] = after[i];
    }
    for (int part : touched) {
      lanes(part);
    }
    if (!drawn[0] && !asked) {
      steps.add(agent, before, after);
    }
  }

  /** The current versions of those parts. */
  private int[] note(int[] touched) {
    releases.begin();
    causes.begin();
    for (int part : touched) {
      parts[part].mark(releases, causes);
    }
    releases.end();
    causes.end();
    int[] now = new int[touched.length];
    for (int i = 0; i < now.length; i++) {
      StatePart part = parts[touched[i]];
      part.settle(releases, causes);
      Version version = part.version(inArrays(touched[i]));
      Integer same = numbers.get(touched[i]).get(version);
      if (same == null) {
        part.keep();
        same = add(version, touched[i]);
      }
      now[i] = same;
    }
    return now;
  }

  private int add(Version version, int part) {
    int number = versions.size();
    versions.add(version);
    numbers.get(part).put(version, number);
    if (number == standings.length) {
      standings = Arrays.copyOf(standings, 2 * number);
    }
    standings[number] = machine.standings.of(s, part, locality);
    if (exhaustive) {
      fingerprint.clear();
      fingerprint.add(part);
      parts[part].digest(fingerprint);
      if (2 * number + 1 >= digests.length) {
        digests = Arrays.copyOf(digests, 2 * standings.length);
      }
      digests[2 * number] = fingerprint.high();
      digests[2 * number + 1] = fingerprint.low();
    }
    size += VERSION + version.size();
    return number;
  }
}
