package dev.oriel.sim.machine.layout;

import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.LaneFamily;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.AccessOrders;
import dev.oriel.sim.code.CopyLayout;
import dev.oriel.sim.code.InstructionBounds;
import dev.oriel.sim.code.LaneInstructions;
import dev.oriel.sim.code.LaneOpcode;
import dev.oriel.sim.code.WorldCode;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The words, buffers, queues and scopes that a program's code can touch. They are found without
 * running the code, and decide what a state must hold.
 */
@SuppressWarnings("EnumOrdinal") // flat code is made of ordinals
public final class CodeScan {
  /** For each buffer: the packet format that it holds, -1 for plain bytes. */
  public final int[] format;

  /** For each buffer: the lanes that read its words as synchronising words. */
  final BitSet[] wordLanes;

  /** Buffers with single words that are changed or awaited. */
  public final BitSet wordBuffers = new BitSet();

  /** Buffers of words that threads copy plain bytes into, 16 at once where the profile allows. */
  final BitSet cells = new BitSet();

  /** These, and the buffers that they are copied from: their bytes keep their place modulo 16. */
  final BitSet aligned = new BitSet();

  /**
   * Signals and buffers of words that some lane reads in more than one way, one of them an acquire.
   */
  final BitSet mixedSlots = new BitSet();

  final BitSet mixedWords = new BitSet();

  /** How the scanned lane reads each signal, and each buffer of words. */
  private final int[] slotReads;

  private final int[] wordReads;

  /** Whether there are strict fences. */
  public boolean strict;

  /** Whether any lane reads a value without acquiring what it releases. */
  public boolean relaxes;

  /** Signals with a slot that some lane writes without release or reads without acquire. */
  public final BitSet relaxed = new BitSet();

  /** Whether any lane takes locks. */
  public boolean anyLock;

  /** Whether locks are taken by requests. */
  public boolean locks;

  /** Whether words are changed by atomics whose result and order no lane uses. */
  public boolean updates;

  /** Whether words that are read singly may reach bytes of a post-condition. */
  public final boolean carries;

  private boolean readsWords;

  /** Whether requests order other requests. */
  public boolean arranges;

  /** Whether requests read words of buffers. */
  public boolean finds;

  /** Whether any lane posts unordered requests. */
  public boolean anyUnordered;

  /** For each buffer: the lanes that read packets of it. */
  final BitSet[] packetLanes;

  /** For each signal: the lanes that read slots of it. */
  final BitSet[] slotLanes;

  /** Ways by which a lane's writes reach slots: its own stores, its queues, and any other queue. */
  private static final int WAYS = 66;

  /** Marks a read without acquire; a read with acquire is marked by the bit of its scope. */
  private static final int RELAXED_READ = 1 << 8;

  /** For each signal: the ways by which lanes add to its slots, lane * ways + way. */
  private final BitSet[] adders;

  /** For each signal: the ways by which lanes set its slots. */
  private final BitSet[] setters;

  private final BitSet contended = new BitSet();

  /** For each signal: the scopes of stores to its slots, and those of requests. */
  private final BitSet[] scopes;

  private final BitSet[] requestScopes;

  /** Signals with a slot that some lane sets without a release. */
  private final BitSet unreleased = new BitSet();

  /** Signals with slots that several lanes, or several queues, of one rank write. */
  private final BitSet shared = new BitSet();

  private final BitSet uneven = new BitSet();

  private final NarrowScopes narrowSlots;

  /** For each lane: whether it has queues, and which kinds of requests it posts. */
  final boolean[] posts;

  final boolean[] reads;
  final boolean[] counts;
  final boolean[] unordered;

  /** How many queues a lane has to a peer. */
  final int[] queues;

  /** For each lane: the peers that it posts to. */
  final BitSet[] peers;

  /** For each lane: whether it uses its bulk-copy unit. */
  final boolean[] units;

  /** For each buffer: those that threads copy plain bytes from. */
  private final BitSet[] copied;

  /** Whether any access has a scope narrower than the widest. */
  boolean narrow;

  CodeScan(WorldCode code) {
    int buffers = code.form().buffers().size();
    int signals = code.form().signals().size();
    int lanes = code.lanes().size();
    format = new int[buffers];
    Arrays.fill(format, -1);
    wordLanes = sets(buffers);
    packetLanes = sets(buffers);
    slotLanes = sets(signals);
    adders = sets(signals);
    setters = sets(signals);
    scopes = sets(signals);
    requestScopes = sets(signals);
    narrowSlots = new NarrowScopes(signals, within(code));
    posts = new boolean[lanes];
    reads = new boolean[lanes];
    counts = new boolean[lanes];
    unordered = new boolean[lanes];
    units = new boolean[lanes];
    queues = new int[lanes];
    peers = sets(lanes);
    copied = sets(buffers);
    slotReads = new int[signals];
    wordReads = new int[buffers];
    for (int l = 0; l < lanes; l++) {
      Arrays.fill(slotReads, 0);
      Arrays.fill(wordReads, 0);
      lane(code, l);
      mixed(slotReads, mixedSlots);
      mixed(wordReads, mixedWords);
    }
    carries = readsWords && !code.form().ensures().isEmpty();
    for (int b = wordBuffers.nextSetBit(0); b >= 0; b = wordBuffers.nextSetBit(b + 1)) {
      if (!copied[b].isEmpty()) {
        cells.set(b);
        aligned.set(b);
        aligned.or(copied[b]);
      }
    }
    for (int s = 0; s < signals; s++) {
      BitSet writers = (BitSet) adders[s].clone();
      writers.or(setters[s]);
      contended.set(s, !adders[s].isEmpty() && writers.cardinality() > 1);
      shared.set(s, shared(code, writers));
      uneven.set(s, findUneven(s));
    }
  }

  /** Whether two of those ways belong to one rank, and both are stores or both are requests. */
  private static boolean shared(WorldCode code, BitSet ways) {
    BitSet ranks = new BitSet();
    for (int w = ways.nextSetBit(0); w >= 0; w = ways.nextSetBit(w + 1)) {
      int rank = 2 * code.lanes().get(w / WAYS).rank() + (w % WAYS == 0 ? 0 : 1);
      if (ranks.get(rank)) {
        return true;
      }
      ranks.set(rank);
    }
    return false;
  }

  /**
   * A later value of a slot releases at least what an earlier one released if all writes have one
   * scope and one of these holds. One lane or one queue makes them all, and its later writes carry
   * its earlier releases on. Or all are additions, which carry on what they read, and every scope
   * reaches every agent. Or all are sets with release, which must be ordered one after another. See
   * {@link NarrowScopes} for signals that a lane may read by too narrow a scope.
   */
  private boolean findUneven(int signal) {
    boolean oneScope =
        scopes[signal].cardinality() <= 1 && requestScopes[signal].cardinality() <= 1;
    boolean additions = setters[signal].isEmpty() && !narrow;
    boolean releases = adders[signal].isEmpty() && !unreleased.get(signal);
    boolean even = oneScope && (!shared.get(signal) || additions || releases);
    return !even || narrowSlots.narrow(signal);
  }

  /** The scope that reaches every lane of a rank: that of its GPU, unless a lane runs elsewhere. */
  static int within(WorldCode code) {
    return code.lanes().stream().anyMatch(CodeScan::isOutside)
        ? MachineModel.SYS
        : MachineModel.NEAR;
  }

  /** Whether the lane runs on no multiprocessor of its rank's GPU. */
  static boolean isOutside(LaneInstructions lane) {
    return !(lane.engine() instanceof LaneFamily.Engine.Sm);
  }

  private static BitSet[] sets(int count) {
    BitSet[] sets = new BitSet[count];
    Arrays.setAll(sets, i -> new BitSet());
    return sets;
  }

  private void lane(WorldCode world, int lane) {
    LaneInstructions code = world.lanes().get(lane);
    int[] ops = code.ops();
    for (int at = 0; at < ops.length; at = InstructionBounds.next(ops, at)) {
      switch (ops[at]) {
        case LaneOpcode.COPY -> copy(world, ops, at, lane);
        case LaneOpcode.WRITE_SLOT -> {
          writer(ops[at + 1], ops[at + 4], lane * WAYS);
          unreleased(ops[at + 1], AccessOrders.releases(ops[at + 6]));
          scopes[ops[at + 1]].set(ops[at + 7]);
          narrowSlots.changed(ops[at + 1], ops[at + 7], code.rank(), world.mayName(ops[at + 3]));
          relaxed(ops[at + 1], AccessOrders.releases(ops[at + 6]));
          narrow |= ops[at + 7] < MachineModel.SYS;
        }
        case LaneOpcode.POLL_SLOT -> {
          slotLanes[ops[at + 1]].set(lane);
          narrow |= ops[at + 8] < MachineModel.SYS;
          relaxes |= !AccessOrders.acquires(ops[at + 7]);
          relaxed(ops[at + 1], AccessOrders.acquires(ops[at + 7]));
          slotReads[ops[at + 1]] |= reads(ops[at + 7], ops[at + 8]);
          narrowSlots.read(ops[at + 1], ops[at + 8]);
        }
        case LaneOpcode.LOAD -> readsWords = true;
        case LaneOpcode.READ_SLOT -> {
          readsWords = true;
          slotLanes[ops[at + 2]].set(lane);
          narrow |= ops[at + 6] < MachineModel.SYS;
          relaxes |= !AccessOrders.acquires(ops[at + 5]);
          relaxed(ops[at + 2], AccessOrders.acquires(ops[at + 5]));
          slotReads[ops[at + 2]] |= reads(ops[at + 5], ops[at + 6]);
        }
        case LaneOpcode.RMW -> {
          readsWords = true;
          words(ops[at + 2], lane);
          narrow |= ops[at + 9] < MachineModel.SYS;
          relaxes |= !AccessOrders.acquires(ops[at + 8]);
          updates |= AccessOrders.posted(ops, at);
          wordReads[ops[at + 2]] |= reads(ops[at + 8], ops[at + 9]);
        }
        case LaneOpcode.POLL_WORD -> {
          words(ops[at + 1], lane);
          narrow |= ops[at + 6] < MachineModel.SYS;
          relaxes |= !AccessOrders.acquires(ops[at + 5]);
          wordReads[ops[at + 1]] |= reads(ops[at + 5], ops[at + 6]);
        }
        case LaneOpcode.FENCE -> {
          narrow |= ops[at + 1] < MachineModel.SYS;
          strict |= ops[at + 2] == 1;
        }
        case LaneOpcode.BULK -> units[lane] = true;
        case LaneOpcode.LOCK -> {
          words(ops[at + 1], lane);
          narrow |= ops[at + 4] < MachineModel.SYS;
          anyLock = true;
          wordReads[ops[at + 1]] |= 1 << ops[at + 4];
        }
        case LaneOpcode.POST -> {
          queue(world, lane, ops[at + 2], ops[at + 3]);
          post(world, ops, at, lane);
        }
        // A queue that is awaited and never posted to has no pending requests.
        case LaneOpcode.AWAIT_QUEUE -> queue(world, lane, ops[at + 1], ops[at + 2]);
        default -> {}
      }
    }
  }

  /** How an access reads: with an acquire of a scope, or without one. */
  private static int reads(int order, int scope) {
    return AccessOrders.acquires(order) ? 1 << scope : RELAXED_READ;
  }

  /** If a lane reads in one way only, nothing can be observed before an acquire. */
  private static void mixed(int[] reads, BitSet into) {
    for (int i = 0; i < reads.length; i++) {
      into.set(i, into.get(i) || (Integer.bitCount(reads[i]) > 1 && reads[i] != RELAXED_READ));
    }
  }

  private void unreleased(int signal, boolean releases) {
    unreleased.set(signal, unreleased.get(signal) || !releases);
  }

  private void relaxed(int signal, boolean orders) {
    relaxed.set(signal, relaxed.get(signal) || !orders);
  }

  private void writer(int signal, int change, int way) {
    (change == 0 ? setters : adders)[signal].set(way);
  }

  /** Requests of two queues reach a slot in either order, and so do unordered ones of one queue. */
  private void writers(WorldCode world, int[] ops, int at, int lane, int signal, int change) {
    int queue = world.operands().known(ops[at + 3], -1);
    int way = lane * WAYS + 1 + Math.floorMod(queue, WAYS - 2);
    writer(signal, change, way);
    if (queue < 0 || ops[at + 5] == 1) {
      writer(signal, change, lane * WAYS + WAYS - 1);
    }
  }

  /** Whether the value of a slot of the signal may depend on the order of two writes. */
  public boolean contended(int signal) {
    return contended.get(signal);
  }

  /** Whether a later value of a slot of the signal may release less than an earlier one. */
  public boolean uneven(int signal) {
    return uneven.get(signal);
  }

  private void words(int buffer, int lane) {
    wordBuffers.set(buffer);
    wordLanes[buffer].set(lane);
  }

  private void copy(WorldCode world, int[] ops, int at, int lane) {
    boolean plain = AtomicCells.copies(world, lane, at);
    for (int d = 0; d < CopyLayout.destinations(ops, at); d++) {
      int place = CopyLayout.destination(at, d);
      if (plain && ops[place + CopyLayout.FORMAT] < 0) {
        int source = ops[CopyLayout.source(ops, at, 0) + CopyLayout.BUFFER];
        copied[base(world, ops[place + CopyLayout.BUFFER])].set(base(world, source));
      }
      packets(world, ops[place + CopyLayout.BUFFER], ops[place + CopyLayout.FORMAT]);
    }
    for (int s = 0; s < CopyLayout.sources(ops, at); s++) {
      int place = CopyLayout.source(ops, at, s);
      packets(world, ops[place + CopyLayout.BUFFER], ops[place + CopyLayout.FORMAT]);
      if (ops[place + CopyLayout.FORMAT] >= 0) {
        packetLanes[ops[place + CopyLayout.BUFFER]].set(lane);
      }
    }
  }

  /** The buffer whose bytes that buffer shows. */
  private static int base(WorldCode world, int buffer) {
    Form form = world.form();
    return form.bufferIndex(form.base(form.buffers().get(buffer).name()));
  }

  private void packets(WorldCode world, int buffer, int found) {
    if (found < 0) {
      return;
    }
    if (format[buffer] >= 0 && format[buffer] != found) {
      throw new MachineException(
          "buffer holds packets of two formats: form=%s, buffer=%s; use a buffer of its own for each"
              .formatted(world.form().name(), world.form().buffers().get(buffer).name()));
    }
    format[buffer] = found;
  }

  private void queue(WorldCode world, int lane, int to, int number) {
    posts[lane] = true;
    int only = world.operands().known(to, -1);
    if (only < 0 || only >= world.world()) {
      peers[lane].set(0, world.world());
    } else {
      peers[lane].set(only);
    }
    queues[lane] = Math.max(queues[lane], 1 + world.operands().known(number, 7));
  }

  private void post(WorldCode world, int[] ops, int at, int lane) {
    unordered[lane] |= ops[at + 5] == 1;
    anyUnordered |= unordered[lane];
    switch (ops[at + 1]) {
      case LaneOpcode.Request.READ, LaneOpcode.Request.READ_BACK -> reads[lane] = true;
      case LaneOpcode.Request.LOCK -> {
        reads[lane] = true;
        finds = true;
      }
      case LaneOpcode.Request.CHANGE -> {
        readsWords = true;
        reads[lane] = true;
        finds = true;
        wordBuffers.set(ops[at + 8]);
      }
      case LaneOpcode.Request.SLOT -> {
        writers(world, ops, at, lane, ops[at + 6], ops[at + 8]);
        unreleased(ops[at + 6], AccessOrders.releases(ops[at + 10]));
        requestScopes[ops[at + 6]].set(ops[at + 11]);
        narrowSlots.far(ops[at + 6], ops[at + 11]);
        relaxed(ops[at + 6], AccessOrders.releases(ops[at + 10]));
        narrow |= ops[at + 11] < MachineModel.SYS;
      }
      case LaneOpcode.Request.ARRANGE -> arranges = true;
      case LaneOpcode.Request.COUNT -> {
        counts[lane] = true;
        wordBuffers.set(ops[at + 6]);
      }
      case LaneOpcode.Request.WRITE_AND_SIGNAL -> {
        writers(world, ops, at, lane, ops[at + 11], ops[at + 13]);
        requestScopes[ops[at + 11]].set(MachineModel.SYS);
        narrowSlots.far(ops[at + 11], MachineModel.SYS);
      }
      default -> {}
    }
    if (ops[at + 1] == LaneOpcode.Request.LOCK) {
      wordBuffers.set(ops[at + 6]);
      locks = true;
      anyLock = true;
    }
  }

  /** Bytes of one packet of the buffer's format. */
  public int unit(int buffer) {
    return PacketFormat.values()[format[buffer]].bytes();
  }
}
