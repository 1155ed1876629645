package dev.oriel.domain.mscclpp;

import dev.oriel.domain.msccl.CollectiveMemory;
import dev.oriel.domain.mscclpp.BlockThreads.Executed;
import dev.oriel.domain.mscclpp.ExecutionMemory.Span;
import dev.oriel.domain.mscclpp.ExecutionPlan.Block;
import dev.oriel.domain.mscclpp.ExecutionPlan.BlockBarrier;
import dev.oriel.domain.mscclpp.ExecutionPlan.Channel;
import dev.oriel.domain.mscclpp.ExecutionPlan.ChannelType;
import dev.oriel.domain.mscclpp.ExecutionPlan.Gpu;
import dev.oriel.domain.mscclpp.ExecutionPlan.Operation;
import dev.oriel.domain.mscclpp.ExecutionPlan.Place;
import dev.oriel.domain.program.Combine;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.Order;
import dev.oriel.domain.program.Peers;
import dev.oriel.domain.program.Region;
import dev.oriel.domain.program.Scope;
import dev.oriel.domain.program.Slot;
import dev.oriel.domain.program.SourceSeries;
import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The lanes of one thread block:
 *
 * <pre>
 * tb3            the block, or its threads that only move data
 * tb3_thread0    thread 0, where it needs a lane of its own: see {@link BlockThreads}
 * tb3_port5      what the proxy does for the block on the gpu's port channel 5, in its order
 * tb3_op2        operation 2, if a packet orders it with another one: see {@link
 *                PacketDependencies}
 * </pre>
 *
 * <p>A signal adds 1 to a counter of its channel at the peer. Wait k of a channel awaits k signals,
 * counted over all launches. A block posts requests to its proxy by a counter, too.
 */
final class BlockTranslation {
  static final String MEMORY = "mem";
  static final String PORT = "port";
  static final String SEMAPHORES = "sem";
  static final String BARRIERS = "bar";

  /** Requests that a block posted on a port channel. */
  static final String POSTED = "posted";

  /** Flushes that a proxy ended. */
  static final String FLUSHED = "flushed";

  /** Launches in which an operation wrote its packets; see {@link StalePackets}. */
  static final String SENT = "sent";

  /** Launches in which an operation in a lane of its own began, in the order of its block. */
  static final String BEGUN = "begun";

  /** Launches in which it ended. */
  static final String ENDED = "ended";

  /** Arrivals of the lanes of a block at its nops; see {@link #ROW}. */
  static final String NOPS = "nops";

  /** Slots of a block in {@link #NOPS}: its data threads, and each thread with a lane. */
  static final int ROW = 17;

  private final ExecutionMemory memory;
  private final EntrySignals entries;
  private final StalePackets packets;
  private final PacketDependencies dependencies;
  private final Gpu gpu;
  private final Block block;
  private final List<Executed> executed;
  private final LaunchCounts counts = new LaunchCounts();
  private final Map<String, LaneOps> lanes = new LinkedHashMap<>();
  private final LaneOps data;
  private final List<LaneOps> threads = new ArrayList<>();

  /** Whether the block has operations in lanes of their own. */
  private final boolean apart;

  /** Those since the last nop. */
  private final List<Operation> apartSinceNop = new ArrayList<>();

  private Optional<Expr> lastNop = Optional.empty();

  /** Operations of a lane, and the operation of the file to which each belongs. */
  record LaneOps(List<Op> ops, List<Operation> steps) {
    LaneOps() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void add(Operation step, Op op) {
      ops.add(op);
      steps.add(step);
    }
  }

  BlockTranslation(
      ExecutionMemory memory,
      ExecutionVariant variant,
      EntrySignals entries,
      StalePackets packets,
      PacketDependencies dependencies,
      Gpu gpu,
      Block block) {
    this.memory = memory;
    this.entries = entries;
    this.packets = packets;
    this.dependencies = dependencies;
    this.gpu = gpu;
    this.block = block;
    this.executed = BlockThreads.executed(block, variant);
    apart = block.operations().stream().anyMatch(dependencies::apart);
    data = lane("");
    if (!BlockThreads.inOneLane(block)) {
      int most = executed.stream().mapToInt(each -> threadsOf(each.operation())).max().orElse(0);
      for (int i = 0; i < most; i++) {
        threads.add(lane("_thread" + i));
      }
    }
    executed.forEach(each -> announce(each.operation()));
    executed.forEach(each -> add(each.operation(), each.turn()));
  }

  /** The lanes by what their names have after that of the block. */
  Map<String, LaneOps> lanes() {
    return lanes;
  }

  private LaneOps lane(String name) {
    return lanes.computeIfAbsent(name, lane -> new LaneOps());
  }

  private static int threadsOf(Operation of) {
    return of.type() == OperationType.BARRIER
        ? 1
        : Math.max(of.channels().size(), of.semaphores().size());
  }

  /** The lane of thread i. */
  private LaneOps thread(int i) {
    return threads.isEmpty() ? data : threads.get(i);
  }

  private void announce(Operation of) {
    switch (of.type()) {
      case NOP -> counts.announce(NOPS);
      case BARRIER -> {
        counts.announce(NOPS);
        counts.announce(NOPS);
        counts.announce(BARRIERS + of.barrier().orElseThrow().id());
      }
      case WAIT, RLXWAIT -> of.channels().forEach(each -> counts.announce(waits(each)));
      case SIGNAL -> of.channels().forEach(this::announcePost);
      case FLUSH -> of.channels().forEach(this::announceFlush);
      case PWSF -> {
        of.channels().forEach(this::announcePost);
        of.channels().forEach(this::announceFlush);
      }
      case SEM_ACQUIRE -> of.semaphores().forEach(each -> counts.announce(SEMAPHORES + each));
      default -> {
        if (BlockThreads.isRequest(of)) {
          of.channels().forEach(this::announcePost);
        }
      }
    }
  }

  private void announcePost(Channel channel) {
    if (channel.type() == ChannelType.PORT) {
      counts.announce(POSTED + channel.id());
      counts.announce("taken" + channel.id());
    }
  }

  private void announceFlush(Channel channel) {
    announcePostOfFlush(channel);
    counts.announce(FLUSHED + channel.id());
    counts.announce("ended" + channel.id());
  }

  private void announcePostOfFlush(Channel channel) {
    counts.announce(POSTED + channel.id());
    counts.announce("taken" + channel.id());
  }

  private static String waits(Channel channel) {
    return "waits %s %d".formatted(channel.type(), channel.id());
  }

  private void add(Operation of, int turn) {
    switch (of.type()) {
      case NOP -> nop(of);
      case BARRIER -> barrier(of);
      case SIGNAL, RLXSIGNAL -> signal(of);
      case WAIT, RLXWAIT -> await(of);
      case FLUSH -> {
        for (int i = 0; i < of.channels().size(); i++) {
          flush(of, i);
        }
      }
      case SEM_ACQUIRE -> acquire(of);
      case SEM_RELEASE -> release(of);
      default -> {
        if (BlockThreads.isRequest(of)) {
          request(of, turn);
        } else if (dependencies.apart(of)) {
          moveApart(of);
        } else {
          received(of);
          move(of, turn, data);
          sent(of);
        }
      }
    }
  }

  /**
   * The operation begins when those before it have ended, and those after it when it has ended.
   * Relaxed signals give this order of the program, which orders no memory. A write acquires the
   * reads that end before it.
   */
  private void moveApart(Operation of) {
    int parts = dependencies.parts(of);
    for (int part = 0; part < parts; part++) {
      Op.Signal.Change set = Op.Signal.Change.SET;
      Slot begun = own(BEGUN, dependencies.number(of, part));
      data.add(
          of,
          new Op.Signal(begun, set, Expr.epoch(), Order.RELAXED, Scope.GPU, Op.Signal.Cover.LANE));
      LaneOps own = lane("_op%s%s".formatted(of.number(), parts == 1 ? "" : "_" + part));
      own.add(of, await(begun, Expr.epoch(), Order.RELAXED, Scope.GPU));
      lastNop.ifPresent(value ->
          own.add(of, await(own(NOPS, block.id() * ROW), value, Order.ACQUIRE, Scope.GPU)));
      for (PacketDependencies.Read read : dependencies.readsBefore(of)) {
        own.add(of, ended(read.of(), read.source(), Order.ACQUIRE));
      }
      if (parts == 1) {
        move(of, 0, own);
      } else {
        pair(of, part, 0).ifPresent(move -> own.add(of, move));
      }
      own.add(of, set(ENDED, dependencies.number(of, part), Expr.epoch(), Scope.GPU));
    }
    awaitEnd(of, of, Order.RELAXED);
    apartSinceNop.add(of);
  }

  private void awaitEnd(Operation step, Operation of, Order order) {
    for (int part = 0; part < dependencies.parts(of); part++) {
      data.add(step, ended(of, part, order));
    }
  }

  private Op ended(Operation of, int part, Order order) {
    return await(own(ENDED, dependencies.number(of, part)), Expr.epoch(), order, Scope.GPU);
  }

  private void received(Operation of) {
    for (Operation from : packets.sources(of)) {
      Peers at = from.gpu() == of.gpu() ? Peers.SELF : Peers.one(Expr.of(from.gpu()));
      Slot slot = new Slot(SENT, Expr.of(packets.number(from)), at);
      data.add(of, await(slot, packets.accepted(), Order.ACQUIRE, Scope.SYS));
    }
  }

  private void sent(Operation of) {
    if (!packets.counted(of)) {
      return;
    }
    Set<Integer> ranks = new TreeSet<>();
    for (int d = 0; d < of.destinations().size(); d++) {
      if (of.type().packetDestination(d)) {
        ranks.addAll(of.destinations().get(d).ranks());
      }
    }
    for (int rank : ranks) {
      Peers at = rank == of.gpu() ? Peers.SELF : Peers.one(Expr.of(rank));
      Slot slot = new Slot(SENT, Expr.of(packets.number(of)), at);
      data.add(of, set(slot, Expr.epoch(), Scope.SYS));
    }
  }

  private void nop(Operation of) {
    if (threads.isEmpty() && !apart) {
      data.add(of, new Op.Sync());
      return;
    }
    Expr value = counts.next(NOPS);
    if (apart) {
      data.add(of, new Op.Sync());
    }
    apartSinceNop.forEach(each -> awaitEnd(of, each, Order.ACQUIRE));
    apartSinceNop.clear();
    lastNop = Optional.of(value);
    int row = block.id() * ROW;
    for (int i = 0; i < threads.size(); i++) {
      threads.get(i).add(of, set(NOPS, row + 1 + i, value, Scope.GPU));
      threads.get(i).add(of, await(own(NOPS, row), value, Order.ACQUIRE, Scope.GPU));
      data.add(of, await(own(NOPS, row + 1 + i), value, Order.ACQUIRE, Scope.GPU));
    }
    data.add(of, set(NOPS, row, value, Scope.GPU));
  }

  private void barrier(Operation of) {
    BlockBarrier barrier = of.barrier().orElseThrow();
    nop(of);
    Expr value = counts.next(BARRIERS + barrier.id(), barrier.blocks(), 0);
    thread(0).add(of, increment(own(BARRIERS, barrier.id()), Order.RELEASE, Scope.GPU));
    thread(0).add(of, await(own(BARRIERS, barrier.id()), value, Order.ACQUIRE, Scope.GPU));
    nop(of);
  }

  private void signal(Operation of) {
    for (int i = 0; i < of.channels().size(); i++) {
      Channel channel = of.channels().get(i);
      Op signal = increment(slot(channel), entries.orderOf(of), Scope.SYS);
      if (channel.type() == ChannelType.PORT) {
        post(of, i).add(of, signal);
      } else {
        thread(i).add(of, signal);
      }
    }
  }

  private void await(Operation of) {
    for (int i = 0; i < of.channels().size(); i++) {
      Channel channel = of.channels().get(i);
      Expr value = counts.next(waits(channel));
      thread(i).add(of, await(slot(channel), value, entries.orderOfWait(of), Scope.SYS));
    }
  }

  /** A request of thread i; what it asks for follows in the proxy's lane. */
  private LaneOps post(Operation of, int i) {
    int channel = of.channels().get(i).id();
    LaneOps proxy = lane("_port" + channel);
    thread(i).add(of, set(POSTED, channel, counts.next(POSTED + channel), Scope.SYS));
    proxy.add(
        of, await(own(POSTED, channel), counts.next("taken" + channel), Order.ACQUIRE, Scope.SYS));
    return proxy;
  }

  private void flush(Operation of, int i) {
    int channel = of.channels().get(i).id();
    post(of, i).add(of, set(FLUSHED, channel, counts.next("ended" + channel), Scope.SYS));
    Expr value = counts.next(FLUSHED + channel);
    thread(i).add(of, await(own(FLUSHED, channel), value, Order.ACQUIRE, Scope.SYS));
  }

  private void request(Operation of, int turn) {
    boolean signals = of.type() == OperationType.PWS || of.type() == OperationType.PWSF;
    for (int i = 0; i < of.channels().size(); i++) {
      LaneOps proxy = post(of, i);
      pair(of, i, turn).ifPresent(move -> proxy.add(of, move));
      if (signals) {
        proxy.add(of, increment(slot(of.channels().get(i)), Order.RELEASE, Scope.SYS));
      }
    }
    if (of.type() == OperationType.PWSF) {
      for (int i = 0; i < of.channels().size(); i++) {
        flush(of, i);
      }
    }
  }

  private void acquire(Operation of) {
    for (int i = 0; i < of.semaphores().size(); i++) {
      int id = of.semaphores().get(i);
      Expr value = counts.next(SEMAPHORES + id, 1, gpu.semaphores().get(id));
      thread(i).add(of, await(own(SEMAPHORES, id), value, Order.ACQUIRE, Scope.GPU));
    }
  }

  private void release(Operation of) {
    for (int i = 0; i < of.semaphores().size(); i++) {
      thread(i)
          .add(of, increment(own(SEMAPHORES, of.semaphores().get(i)), Order.RELEASE, Scope.GPU));
    }
  }

  private void move(Operation of, int turn, LaneOps into) {
    if (of.type().inPairs()) {
      for (int i = 0; i < of.destinations().size(); i++) {
        pair(of, i, turn).ifPresent(move -> into.add(of, move));
      }
      return;
    }
    List<Region> from = new ArrayList<>();
    List<Region> to = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < of.sources().size(); i++) {
      bytes = regions(of, of.sources().get(i), of.type().packetSource(i), turn, from);
    }
    for (int i = 0; i < of.destinations().size(); i++) {
      regions(of, of.destinations().get(i), of.type().packetDestination(i), turn, to);
    }
    boolean copy = from.size() == 1;
    // A copy onto itself is none.
    if (bytes > 0 && !(copy && from.equals(to))) {
      Combine combine = copy ? Combine.COPY : CollectiveMemory.SUM;
      into.add(
          of,
          new Op.Move(ticket(of, turn, ""), to, combine, SourceSeries.of(from), Expr.of(bytes)));
    }
  }

  /** The regions of a place at each of its gpus, and the bytes of one. */
  private long regions(Operation of, Place place, boolean packets, int turn, List<Region> into) {
    long bytes = 0;
    for (int rank : place.ranks()) {
      Optional<Span> span = memory.span(of, place, rank, packets, turn);
      span.ifPresent(found -> into.add(memory.region(block.gpu(), rank, found)));
      bytes = span.map(Span::bytes).orElse(0L);
    }
    return bytes;
  }

  /** Source i to destination i; none if there are no bytes. */
  private Optional<Op> pair(Operation of, int i, int turn) {
    List<Region> from = new ArrayList<>();
    List<Region> to = new ArrayList<>();
    long bytes = regions(of, of.sources().get(i), of.type().packetSource(i), turn, from);
    regions(of, of.destinations().get(i), of.type().packetDestination(i), turn, to);
    return bytes == 0
        ? Optional.empty()
        : Optional.of(Op.Move.copy(ticket(of, turn, "_" + i), to, from.getFirst(), Expr.of(bytes)));
  }

  private static String ticket(Operation of, int turn, String more) {
    return "op%s%s%s"
        .formatted(of.number().replace('.', '_'), turn == 0 ? "" : "_turn" + turn, more);
  }

  /** The counter of a channel: of signals to the peer, or of those that came from it. */
  private static Slot slot(Channel channel) {
    String array = channel.type() == ChannelType.PORT ? PORT : MEMORY;
    return new Slot(array, Expr.of(channel.pair()), Peers.one(Expr.of(channel.peer())));
  }

  private static Slot own(String array, int index) {
    return new Slot(array, Expr.of(index), Peers.SELF);
  }

  private static Op increment(Slot slot, Order order, Scope scope) {
    return new Op.Signal(
        slot, Op.Signal.Change.ADD, Expr.of(1), order, scope, Op.Signal.Cover.LANE);
  }

  private static Op set(String array, int index, Expr value, Scope scope) {
    return set(own(array, index), value, scope);
  }

  private static Op set(Slot slot, Expr value, Scope scope) {
    return new Op.Signal(
        slot, Op.Signal.Change.SET, value, Order.RELEASE, scope, Op.Signal.Cover.LANE);
  }

  private static Op await(Slot slot, Expr value, Order order, Scope scope) {
    return new Op.Await(slot, Op.Await.Quantifier.EACH, Comparison.REACHED, value, order, scope);
  }
}
