package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.MscclPlan.PlanBuffer;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.BlockBarrier;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * When the source of a packet may be overwritten. A packet orders no other memory, but it depends
 * on the read of its source. So a write that happens because a packet arrived comes after that
 * read, although nothing is acquired.
 *
 * <p>The reads that are known to have ended are followed unit by unit, since one thread reads a
 * unit and writes its packet:
 *
 * <ul>
 *   <li>The packet of a unit announces the read of that unit, and all reads that its thread knows
 *       to have ended: from the packets of the same unit that it read, and from the last nop.
 *   <li>A nop shares this knowledge among the threads of a block.
 *   <li>A barrier shares it among the blocks that arrive there.
 * </ul>
 *
 * <p>A read and a write are a pair if two things are known. The write comes after every unit of the
 * read that it overwrites. The end of the write comes after the whole read. Only then the program
 * may order the operations as a whole. Reads are those of {@code ppkt} and {@code cpkt}, which
 * write nothing but packets: a packet announces no plain write.
 */
final class PacketDependencies {
  /** Bits of all reads that packets prove to have ended, beyond which none is followed: 32 MiB. */
  private static final long MOST_BITS = 1L << 28;

  /** What a verdict says of a plan with more. */
  static final String LEFT_OUT =
      "too many packets to follow what they order: a write of a packet's source that only packets order is called a race";

  private final ExecutionPlan plan;
  private final ExecutionMemory memory;

  /** For each operation that reads plain bytes into packets: the number of its first unit. */
  private final IdentityHashMap<Operation, Integer> firsts = new IdentityHashMap<>();

  private final List<Read> readOf = new ArrayList<>();

  /** The numbers of the units that are read from a place. */
  private final Map<Unit, List<Integer>> readers = new HashMap<>();

  private final Map<Unit, Packet> packets = new HashMap<>();
  private final IdentityHashMap<Operation, List<Read>> readsBefore = new IdentityHashMap<>();

  /** The number of the first part of each operation that is one of a pair, in its gpu. */
  private final IdentityHashMap<Operation, Integer> apart = new IdentityHashMap<>();

  /** How many nops and barriers an operation's block passed before it. */
  private final IdentityHashMap<Operation, Integer> passed = new IdentityHashMap<>();

  private int most;
  private boolean followed = true;
  private final Deque<Progress> ready = new ArrayDeque<>();
  private final Map<List<Integer>, Meeting> meetings = new HashMap<>();

  /** The read of one source of an operation, whose sources have packets of their own. */
  record Read(Operation of, int source) {}

  /** A unit of plain bytes or the packet of one. */
  private record Unit(int rank, String buffer, long offset, boolean packet) {}

  /** The order that a packet gives, once all operations that write it in a launch have done so. */
  private static final class Packet {
    private int writers;
    private int written;
    private final BitSet known = new BitSet();
    private final List<Progress> waiting = new ArrayList<>();

    boolean complete() {
      return written == writers;
    }

    void write(BitSet more) {
      if (written++ == 0) {
        known.or(more);
      } else {
        // It may be the packet of any of them.
        known.and(more);
      }
    }
  }

  /** A round of a barrier. */
  private static final class Meeting {
    private int arrived;
    private final BitSet known = new BitSet();
    private final List<Progress> waiting = new ArrayList<>();
  }

  /** How far a block came, and what its threads know. */
  private static final class Progress {
    private final Block block;
    private int next;
    private int nops;
    private boolean arrived;
    private final Map<Integer, Integer> rounds = new HashMap<>();
    private final BitSet settled = new BitSet();
    private final BitSet sinceNop = new BitSet();

    Progress(Block block) {
      this.block = block;
    }

    void nop() {
      settled.or(sinceNop);
      sinceNop.clear();
      nops++;
    }
  }

  private PacketDependencies(ExecutionPlan plan, ExecutionMemory memory) {
    this.plan = plan;
    this.memory = memory;
  }

  static PacketDependencies of(ExecutionPlan plan, ExecutionMemory memory, LaunchFlags flags) {
    PacketDependencies made = new PacketDependencies(plan, memory);
    // Where scratch differs in size, writer and reader of a packet may take other halves.
    boolean sameHalves =
        !plan.doubleScratch() || plan.gpus().stream().map(Gpu::scratch).distinct().count() == 1;
    if (plan.packets() && sameHalves && !flags.stale(plan.doubleScratch())) {
      made.find();
    }
    return made;
  }

  /** None, for a program whose time counts and not its races. */
  static PacketDependencies none(ExecutionPlan plan, ExecutionMemory memory) {
    return new PacketDependencies(plan, memory);
  }

  private void find() {
    plan.operations().forEach(this::collect);
    followed = (long) packets.size() * readOf.size() <= MOST_BITS;
    if (!followed || readOf.isEmpty()) {
      return;
    }
    plan.blocks().map(Progress::new).forEach(ready::add);
    while (!ready.isEmpty()) {
      Progress at = ready.remove();
      while (at.next < at.block.operations().size() && step(at)) {
        at.next++;
      }
    }
    plan.gpus().forEach(this::number);
  }

  private void collect(Operation of) {
    if (of.type() == OperationType.PPKT || of.type() == OperationType.CPKT) {
      firsts.put(of, readOf.size());
      for (int s = 0; s < of.sources().size(); s++) {
        Read read = new Read(of, s);
        for (Unit unit : units(of, of.sources().get(s), false)) {
          readers.computeIfAbsent(unit, u -> new ArrayList<>()).add(readOf.size());
          readOf.add(read);
        }
      }
    }
    for (int d = 0; d < of.destinations().size(); d++) {
      if (of.type().packetDestination(d)) {
        for (Unit unit : units(of, of.destinations().get(d), true)) {
          packets.computeIfAbsent(unit, u -> new Packet()).writers++;
        }
      }
    }
  }

  private void number(Gpu gpu) {
    Set<Operation> all = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Block block : gpu.blocks()) {
      for (Operation of : block.operations()) {
        if (readsBefore.containsKey(of)) {
          all.add(of);
          readsBefore.get(of).forEach(read -> all.add(read.of));
        }
      }
    }
    int count = 0;
    for (Block block : gpu.blocks()) {
      for (Operation of : block.operations()) {
        if (all.contains(of)) {
          apart.put(of, count);
          count += parts(of);
        }
      }
    }
    most = Math.max(most, count);
  }

  /** The units of a place, in each of its gpus one after another. */
  private List<Unit> units(Operation of, Place place, boolean packet) {
    List<Unit> units = new ArrayList<>();
    for (int rank : place.ranks()) {
      memory
          .span(of, place, rank, packet, 0)
          .ifPresent(span -> {
            long count = span.bytes() / ExecutionVariant.UNIT;
            long width = (span.end() - span.offset()) / count;
            for (long k = 0; k < count; k++) {
              units.add(new Unit(rank, span.buffer(), span.offset() + k * width, packet));
            }
          });
    }
    return units;
  }

  private int count(Operation of) {
    return units(of, of.sources().getFirst(), false).size()
        / of.sources().getFirst().ranks().size();
  }

  private boolean step(Progress at) {
    Operation of = at.block.operations().get(at.next);
    passed.put(of, at.nops);
    return switch (of.type()) {
      case NOP -> {
        at.nop();
        yield true;
      }
      case BARRIER -> meets(at, of);
      default -> !of.type().moves() || BlockThreads.isRequest(of) || moves(at, of);
    };
  }

  private boolean meets(Progress at, Operation of) {
    BlockBarrier barrier = of.barrier().orElseThrow();
    int round = at.rounds.getOrDefault(barrier.id(), 0);
    Meeting meeting =
        meetings.computeIfAbsent(List.of(of.gpu(), barrier.id(), round), key -> new Meeting());
    if (!at.arrived) {
      at.arrived = true;
      at.nop();
      meeting.known.or(at.settled);
      meeting.arrived++;
      if (meeting.arrived == barrier.blocks()) {
        ready.addAll(meeting.waiting);
      }
    }
    if (meeting.arrived < barrier.blocks()) {
      meeting.waiting.add(at);
      return false;
    }
    at.arrived = false;
    at.rounds.put(barrier.id(), round + 1);
    at.settled.or(meeting.known);
    return true;
  }

  private boolean moves(Progress at, Operation of) {
    List<List<Unit>> sources = new ArrayList<>();
    for (int s = 0; s < of.sources().size(); s++) {
      if (of.type().packetSource(s)) {
        sources.add(units(of, of.sources().get(s), true));
      }
    }
    for (List<Unit> units : sources) {
      for (Unit unit : units) {
        Packet packet = packets.get(unit);
        if (packet == null) {
          return false;
        }
        if (!packet.complete()) {
          packet.waiting.add(at);
          return false;
        }
      }
    }
    List<List<Unit>> targets = new ArrayList<>();
    for (int d = 0; d < of.destinations().size(); d++) {
      targets.add(units(of, of.destinations().get(d), of.type().packetDestination(d)));
    }
    int count = count(of);
    int pairs = of.type().inPairs() ? of.sources().size() : 1;
    BitSet all = new BitSet();
    Map<Read, Boolean> overwritten = new LinkedHashMap<>();
    for (int pair = 0; pair < pairs; pair++) {
      for (int k = 0; k < count; k++) {
        BitSet known = (BitSet) at.settled.clone();
        for (List<Unit> units : sources) {
          known.or(packet(units.get(k)).known);
        }
        overwrite(of, targets, pair, k, known, overwritten);
        if (firsts.containsKey(of)) {
          known.set(first(of) + pair * count + k);
        }
        publish(of, targets, pair, k, count, known);
        all.or(known);
      }
    }
    overwritten.forEach((read, known) -> {
      if (known && ordersAlone(read.of, of) && ended(read, all) && writtenOnce(read)) {
        readsBefore.computeIfAbsent(of, write -> new ArrayList<>()).add(read);
      }
    });
    at.sinceNop.or(all);
    return true;
  }

  /**
   * Whether the order of both adds no other one in the program. There the read's end also proves
   * all that its block did before its last nop. Its own block knows that, if no nop is between
   * both. Another block would learn it, although packets do not prove it.
   */
  private boolean ordersAlone(Operation read, Operation write) {
    return read.block() == write.block()
        ? nopsBefore(read) == nopsBefore(write)
        : nopsBefore(read) == 0;
  }

  private int nopsBefore(Operation of) {
    return Objects.requireNonNull(passed.get(of));
  }

  /** Whether the destination is one of unit k of that pair. */
  private static boolean inPair(Operation of, int destination, int pair) {
    return !of.type().inPairs() || destination == pair;
  }

  /** Notes the reads whose bytes unit k overwrites, and whether all of them are known. */
  private void overwrite(
      Operation of,
      List<List<Unit>> targets,
      int pair,
      int k,
      BitSet known,
      Map<Read, Boolean> overwritten) {
    for (int d = 0; d < of.destinations().size(); d++) {
      Place place = of.destinations().get(d);
      boolean plain = !of.type().packetDestination(d) && place.buffer() != PlanBuffer.S;
      if (plain && inPair(of, d, pair) && place.local(of.gpu())) {
        for (int read : readers.getOrDefault(targets.get(d).get(k), List.of())) {
          overwritten.merge(readOf.get(read), known.get(read), Boolean::logicalAnd);
        }
      }
    }
  }

  private void publish(
      Operation of, List<List<Unit>> targets, int pair, int k, int count, BitSet known) {
    for (int d = 0; d < of.destinations().size(); d++) {
      if (of.type().packetDestination(d) && inPair(of, d, pair)) {
        List<Unit> units = targets.get(d);
        for (int at = k; at < units.size(); at += count) {
          Packet packet = packet(units.get(at));
          packet.write(known);
          if (packet.complete()) {
            ready.addAll(packet.waiting);
            packet.waiting.clear();
          }
        }
      }
    }
  }

  private Packet packet(Unit unit) {
    return Objects.requireNonNull(packets.get(unit));
  }

  private int first(Operation read) {
    return Objects.requireNonNull(firsts.get(read));
  }

  /** Whether all units of a read are known to have ended. */
  private boolean ended(Read read, BitSet known) {
    int count = count(read.of);
    int first = first(read.of) + read.source * count;
    return known.nextClearBit(first) >= first + count;
  }

  /** Whether no other operation writes the packets; its packets would have another order. */
  private boolean writtenOnce(Read read) {
    return units(read.of, read.of.destinations().get(read.source), true).stream()
        .allMatch(unit -> packet(unit).writers == 1);
  }

  /** Whether the plan is small enough for packets to be followed. */
  boolean followed() {
    return followed;
  }

  /** Whether the operation is one of a pair. */
  boolean apart(Operation of) {
    return apart.containsKey(of);
  }

  /** The parts of an operation that begin and end alone: reads do by source. */
  int parts(Operation of) {
    return firsts.containsKey(of) ? of.sources().size() : 1;
  }

  /** The number of a part among the parts of operations of pairs of its gpu. */
  int number(Operation of, int part) {
    return Objects.requireNonNull(apart.get(of)) + part;
  }

  /** The parts in the gpu with the most. */
  int most() {
    return most;
  }

  /** The reads that end before that write. */
  List<Read> readsBefore(Operation write) {
    return readsBefore.getOrDefault(write, List.of());
  }
}
