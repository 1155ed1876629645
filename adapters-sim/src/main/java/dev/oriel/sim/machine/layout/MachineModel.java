package dev.oriel.sim.machine.layout;

import dev.oriel.domain.program.LaneFamily;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.provenance.CombinationLog;
import dev.oriel.sim.machine.provenance.InputContents;
import dev.oriel.sim.machine.provenance.WordProvenance;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Constants of an exploration: the code, the agents and the layout of a state. */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class MachineModel {
  public final WorldCode code;
  public final Profile profile;

  /** Traits of the profile that steps read often. */
  public final boolean ordered;

  public final boolean whole;
  public final boolean relaxedOrdering;

  /** Whether threads store 16 bytes of some memory at once. */
  public final boolean cells;

  public final StateCapacities sizes;
  public final CodeScan scan;
  public final AgentLayout agents;

  /** Whether clocks are stored one after another, or share what they have in common. */
  public final boolean flat;

  public final WordLayout words;

  /** The scope that reaches every agent. */
  public static final int SYS = Scope.SYS.ordinal();

  /** The scope of a lane's own threads. */
  public static final int CTA = Scope.CTA.ordinal();

  /** The scopes of two lanes of one GPU: of one cluster, and of any two clusters. */
  public static final int CLUSTER = Scope.CLUSTER.ordinal();

  public static final int NEAR = Scope.GPU.ordinal();

  /** How many scopes are distinguished: 1 if every access reaches every agent, else all of them. */
  public final int levels;

  public final int lanes;
  public final int world;
  private final LaneInstructions[] lane;
  private final int[] rank;

  /** For each lane: the first lane of its cluster. */
  private final int[] cluster;

  /** For each lane: the number of its cluster among those of several lanes, -1 if it is alone. */
  private final int[] clusterNumber;

  private final int clusters;

  private final boolean[] outside;

  /** For each rank: whether any lane is outside. */
  private final boolean[] anyOutside;

  /** For each rank: its first lane; the last entry is the number of lanes. */
  public final int[] firstLane;

  public final int[] firstRegister;
  public final int registers;

  /** By rank * buffers + buffer: the first byte of that memory, and its size. */
  public final int[] firstByte;

  public final int[] bytes;
  public final int memory;

  /** See {@link ShadowLayout#firsts}. */
  public final int[] firstShadow;

  public final int buffers;

  /** For each buffer: the buffer whose bytes it shows; another one only for an alias. */
  public final int[] base;

  public final CopyCombiners makings;

  /** Which sources were combined into each byte, if that is recorded. */
  public final CombinationLog made = new CombinationLog();

  /** Provenance of words that pass through registers. */
  public final WordProvenance origins;

  private final byte[] kinds;

  public final InputContents inputs;

  /** The buffer in which rank code keeps registrations of memory; -1 if it keeps none. */
  public final int registrations;

  public MachineModel(
      WorldCode code,
      Topology topology,
      Profile profile,
      StateCapacities sizes,
      int registrations) {
    this(code, topology, profile, sizes, registrations, 0);
  }

  /** The same with inputs of draw {@code draw}, see {@link InputContents}. */
  public MachineModel(
      WorldCode code,
      Topology topology,
      Profile profile,
      StateCapacities sizes,
      int registrations,
      long draw) {
    this.registrations = registrations;
    this.code = code;
    this.profile = profile;
    ordered = profile.ordered();
    whole = profile.whole();
    relaxedOrdering = profile.relaxedOrdering();
    this.sizes = sizes;
    scan = new CodeScan(code);
    agents = new AgentLayout(code, topology, scan, profile, sizes);
    cells = agents.cells.any;
    flat = agents.components <= sizes.flat;
    levels = scan.narrow ? SYS + 1 : 1;
    lanes = agents.lanes;
    world = agents.world;
    lane = code.lanes().toArray(LaneInstructions[]::new);
    rank = Arrays.stream(lane).mapToInt(LaneInstructions::rank).toArray();
    cluster = clusters(lane);
    clusterNumber = new int[lanes];
    clusters = numberClusters();
    outside = new boolean[lanes];
    anyOutside = new boolean[world];
    for (int l = 0; l < lanes; l++) {
      outside[l] = CodeScan.isOutside(lane[l]);
      anyOutside[rank[l]] |= outside[l];
    }
    firstLane = IntStream.rangeClosed(0, world).map(code::firstLane).toArray();
    firstRegister = new int[lanes];
    int register = 0;
    for (int l = 0; l < lanes; l++) {
      firstRegister[l] = register;
      register += code.lanes().get(l).registers();
    }
    registers = register;
    buffers = code.form().buffers().size();
    firstByte = new int[world * buffers];
    bytes = new int[world * buffers];
    base = new int[buffers];
    for (int b = 0; b < buffers; b++) {
      base[b] = code.form().bufferIndex(code.form().base(buffer(b)));
    }
    int at = 0;
    for (int r = 0; r < world; r++) {
      for (int b = 0; b < buffers; b++) {
        long size = code.ranks().get(r).bytes(code.form().buffers().get(b).name());
        bytes[r * buffers + b] = Math.toIntExact(size);
        firstByte[r * buffers + b] = base[b] == b ? at : firstByte[r * buffers + base[b]];
        at = Math.addExact(at, base[b] == b ? (int) size : 0);
      }
    }
    memory = at;
    firstShadow = ShadowLayout.firsts(this);
    origins = new WordProvenance(scan.carries);
    words = new WordLayout(this);
    makings = new CopyCombiners(this);
    kinds = new byte[world * world];
    for (int a = 0; a < world; a++) {
      for (int b = 0; b < world; b++) {
        PeerKind kind = a == b ? PeerKind.SELF : topology.kind(a, b);
        kinds[a * world + b] = (byte) kind.ordinal();
      }
    }
    inputs = new InputContents(code, draw);
  }

  public LaneInstructions lane(int lane) {
    return this.lane[lane];
  }

  public int rank(int lane) {
    return rank[lane];
  }

  /** The first lane of the lane's cluster. */
  public int cluster(int lane) {
    return cluster[lane];
  }

  /** How many clusters have several lanes. */
  int clusters() {
    return clusters;
  }

  /** The number of the component's cluster among those of several lanes; -1 if it is in none. */
  public int clusterOf(int component) {
    int of = agents.placed[component] ? -1 : agents.laneOf[component];
    return of < 0 ? -1 : clusterNumber[of];
  }

  public int kind(int from, int to) {
    return kinds[from * world + to];
  }

  /** The level of a scope: a release clock of that level serves readers within that distance. */
  public int level(int scope) {
    return levels == 1 ? 0 : scope;
  }

  /** The narrowest scope that holds both; an interface is as far away as another GPU. */
  public int apart(int component, int lane) {
    if (agents.placed[component] || agents.rankOf[component] != rank(lane)) {
      return SYS;
    }
    int other = agents.laneOf[component];
    if (other == lane) {
      return 0;
    }
    if (isOutside(lane) || (other >= 0 && isOutside(other))) {
      return SYS;
    }
    return other >= 0 && cluster[other] == cluster[lane] ? CLUSTER : NEAR;
  }

  /** Whether the lane runs on no multiprocessor of its rank's GPU: only system scope reaches it. */
  public boolean isOutside(int lane) {
    return outside[lane];
  }

  /** Whether any of the rank's lanes does. */
  public boolean hasOutside(int rank) {
    return anyOutside[rank];
  }

  /** The same for a component. */
  public boolean fromOutside(int component) {
    return agents.laneOf[component] >= 0 && outside[agents.laneOf[component]];
  }

  /**
   * The component's rank. Interfaces form one more group, as they are as far away as another GPU.
   */
  public int group(int component) {
    return agents.placed[component] ? world : agents.rankOf[component];
  }

  /** The narrowest scope that holds both components. */
  public int between(int one, int other) {
    return one == other ? 0 : agents.placed[other] ? SYS : apart(one, agents.laneOf[other]);
  }

  private int numberClusters() {
    int number = 0;
    for (int l = 0; l < lanes; l++) {
      boolean first = l + 1 < lanes && cluster[l + 1] == l;
      clusterNumber[l] = first ? number++ : cluster[l] == l ? -1 : clusterNumber[cluster[l]];
    }
    return number;
  }

  /** Lanes of one family of one rank are adjacent, in the order of their indices. */
  private static int[] clusters(LaneInstructions[] lanes) {
    int[] first = new int[lanes.length];
    int family = 0;
    for (int l = 0; l < lanes.length; l++) {
      boolean same =
          lanes[l].rank() == lanes[family].rank() && lanes[l].name().equals(lanes[family].name());
      family = same ? family : l;
      int size = lanes[l].engine() instanceof LaneFamily.Engine.Sm sm ? sm.cluster() : 1;
      first[l] = l - (l - family) % size;
    }
    return first;
  }

  public Space space(int buffer) {
    return code.form().buffers().get(buffer).space();
  }

  public String buffer(int buffer) {
    return code.form().buffers().get(buffer).name();
  }

  public String signal(int signal) {
    return code.form().signals().get(signal).name();
  }

  /** The name of a lane in reports. */
  public String laneName(int lane) {
    LaneInstructions c = lane(lane);
    return "rank=%d, lane=%s".formatted(c.rank(), c.label());
  }

  /** An array of that length that holds the value everywhere. */
  public static int[] filled(int length, int value) {
    int[] array = new int[length];
    Arrays.fill(array, value);
    return array;
  }
}
