package dev.oriel.ibverbs.run;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.fabric.VerbsRemote;
import dev.oriel.ibverbs.fabric.WireMessage;
import dev.oriel.ibverbs.post.AddressResolver;
import dev.oriel.ibverbs.post.AddressTable;
import dev.oriel.ibverbs.post.BufferRange;
import dev.oriel.ibverbs.post.NicSlotLayout;
import dev.oriel.ibverbs.post.PostOperation;
import dev.oriel.ibverbs.post.QueueLimits;
import dev.oriel.ibverbs.post.QueueRequest;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.Clock;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.SpanChecks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** One local rank of a prepared program: its memory, its queue pairs, its lanes. */
final class RankRun implements AutoCloseable {
  private static final int STEPS = 200;

  private final Clock clock;
  private final RankProgram program;
  private final PeerConnections connections;
  private final RankMemoryLayout places;
  private final NicSlotLayout slots;
  private final HostMemory memory;
  private final ExportedMemory exported;
  private final List<LaneRun> lanes = new ArrayList<>();

  /** The addressing of each interface. */
  private List<AddressResolver> addressing = List.of();

  private final LoweredForm lowered;
  private final WordAtomicity atomicity;
  private final boolean together;
  private final CompletionCounts counts;
  private final Map<Integer, byte[]> offers = new LinkedHashMap<>();
  private long epoch;

  RankRun(RankProgram program, LoweredForm lowered, PeerConnections connections, Clock clock) {
    this.program = program;
    this.clock = clock;
    this.connections = connections;
    this.atomicity = WordAtomicity.of(lowered);
    this.together = atomicity.together(program.lanes());
    if (atomicity.asked() && !connections.atomics()) {
      throw MachineException.lacking(
          "device changes no words in one step: form=%s, rank=%d; use another device, or no add, cas, fetch or lock"
              .formatted(program.program().form().name(), program.rank()));
    }
    this.places = RankMemoryLayout.of(program);
    this.slots = new NicSlotLayout(program);
    this.memory = HostMemory.allocate(places.bytes());
    try {
      this.exported = connections.export(memory);
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, memory::close);
    }
    this.lowered = lowered;
    this.counts = new CompletionCounts(memory);
    makeLanes();
  }

  private void makeLanes() {
    lanes.clear();
    for (RankProgram.LaneInstance lane : program.lanes()) {
      lanes.add(new LaneRun(lanes.size(), lane, lowered.lane(lane.lane().name()), this));
    }
  }

  /** Connects to the peer that made the offer. */
  void connect(int peer, byte[] offer) {
    offers.put(peer, offer);
    connections.connect(peer, offer);
  }

  /** Connects to itself, if it changes its own words through its interface. */
  void connectToItself() {
    if (atomicity.loopback()) {
      connect(program.rank(), connections.offer(program.rank()));
    }
  }

  /** Breaks all connections: nothing of a peer's arrives from now on, and nothing is under way. */
  void reset() {
    connections.reset();
  }

  /**
   * Restores the state after preparation, except inputs and outputs. Every rank must be reset
   * before: peers must not find old values.
   */
  void reconnect() {
    places.zeroed(program).forEach(memory::zero);
    epoch = 0;
    counts.forget();
    makeLanes();
    offers.forEach(connections::connect);
  }

  RankProgram program() {
    return program;
  }

  PeerConnections connections() {
    return connections;
  }

  HostMemory memory() {
    return memory;
  }

  /** Whether words of that buffer are changed only by atomics of the owner's interface. */
  boolean byInterface(String buffer) {
    return atomicity.byInterface().contains(buffer);
  }

  CompletionCounts counts() {
    return counts;
  }

  /**
   * The queue to that rank for a context of a lane. Contexts of a lane stay on its interface.
   * Atomics of two interfaces are not atomic with respect to each other: if lanes change the same
   * words by atomics, all lanes use the first interface.
   */
  SendQueue queue(int peer, int lane, long context) {
    int interfaces = addressing.size();
    long number = together ? interfaces * (lane + context) : lane + interfaces * context;
    return connections.queue(peer, Math.toIntExact(number));
  }

  long bytes() {
    return places.bytes();
  }

  int world() {
    return program.program().world();
  }

  /** The description of this rank's memory for the other ranks. */
  WireMessage.Export export() {
    return new WireMessage.Export(
        program.rank(), memory.address(), places.bytes(), exported.remoteKeys());
  }

  /** Takes the descriptions of all ranks' memory, in rank order; sizes follow from the binding. */
  void meet(List<WireMessage.Export> all) {
    int interfaces = exported.remoteKeys().size();
    for (int rank = 0; rank < all.size(); rank++) {
      WireMessage.Export export = all.get(rank);
      long bytes = RankMemoryLayout.of(program.program().rank(rank)).bytes();
      if (export.owner() != rank || export.size() != bytes || export.keys().size() != interfaces) {
        throw new MachineException(
            "rank announced other memory: rank=%d, owner=%d, bytes=%d, expected=%d, keys=%d, interfaces=%d; bind the same program on all ranks, with equal settings"
                .formatted(
                    rank, export.owner(), export.size(), bytes, export.keys().size(), interfaces));
      }
    }
    QueueLimits limits = new QueueLimits(Long.BYTES, connections.messageBytes());
    addressing =
        IntStream.range(0, interfaces)
            .mapToObj(number -> new AddressResolver(program.rank(), book(all, number), limits))
            .toList();
  }

  /** Every rank's memory, by the keys of that interface. */
  private AddressTable book(List<WireMessage.Export> all, int number) {
    List<AddressTable.RankMemory> book = new ArrayList<>();
    for (int rank = 0; rank < all.size(); rank++) {
      RankMemoryLayout theirs = RankMemoryLayout.of(program.program().rank(rank));
      int local = rank == program.rank() ? exported.localKey(number) : 0;
      book.add(theirs.at(all.get(rank).address(), local, all.get(rank).keys().get(number)));
    }
    return new AddressTable(book);
  }

  /** The offset of a buffer's bytes in the memory. */
  long place(String buffer, long offset, long bytes) {
    SpanChecks.check(
        "rank=" + program.rank() + ", buffer=" + buffer, offset, bytes, places.size(buffer));
    return places.offset(buffer) + offset;
  }

  /** The offset of the word for that lane's returned values. */
  long answer(int lane) {
    return places.offset(RankMemoryLayout.ANSWERS) + (long) Long.BYTES * lane;
  }

  /** The offset of a slot in the row of {@code source}. */
  long slot(int source, String signal, long index) {
    return places.slots() + slots.word(program.rank(), source, signal, index).offset();
  }

  /** A move as pieces that an interface can carry. */
  List<PostOperation> pieces(PostOperation operation) {
    return switch (operation) {
      case PostOperation.Write(var local, var remote) when local.bytes() > piece() ->
          split(local.bytes())
              .map(at -> (PostOperation) new PostOperation.Write(part(local, at), part(remote, at)))
              .toList();
      case PostOperation.Read(var local, var remote) when local.bytes() > piece() ->
          split(local.bytes())
              .map(at -> (PostOperation) new PostOperation.Read(part(local, at), part(remote, at)))
              .toList();
      default -> List.of(operation);
    };
  }

  private long piece() {
    return Math.min(VerbsRemote.PIECE, connections.messageBytes());
  }

  private Stream<Long> split(long bytes) {
    return LongStream.iterate(0, at -> at < bytes, at -> at + piece()).boxed();
  }

  private BufferRange part(BufferRange whole, long at) {
    return new BufferRange(
        whole.rank(), whole.buffer(), whole.offset() + at, Math.min(piece(), whole.bytes() - at));
  }

  /** Posts one piece; there must be room for it. Returns its number. */
  long post(SendQueue queue, PostOperation operation) {
    return queue.post(
        operation.effect(),
        (id, signalled, fenced) ->
            addressing
                .get(queue.number())
                .resolve(new QueueRequest(id, operation, signalled, fenced)));
  }

  /** The time, for reads that wait for a limited time. */
  long nanos() {
    return clock.nanos();
  }

  void launch() {
    epoch++;
    lanes.forEach(lane -> lane.launch(epoch));
  }

  /** Advances every lane as far as possible; returns whether any made progress. */
  boolean advance() {
    boolean any = connections.progress();
    any |= counts.progress();
    for (LaneRun lane : lanes) {
      any |= !lane.ended() && lane.advance(STEPS);
    }
    return any;
  }

  /** Whether every instance of that lane has ended. */
  boolean ended(String lane) {
    return lanes.stream().filter(l -> l.lane().equals(lane)).allMatch(LaneRun::ended);
  }

  /** Whether all lanes have ended and all their requests have completed. */
  boolean ended() {
    if (!lanes.stream().allMatch(LaneRun::ended)) {
      return false;
    }
    boolean idle = true;
    for (SendQueue queue : connections.queues()) {
      if (!queue.idle()) {
        queue.report();
        idle = false;
      }
    }
    return idle && failedQueue().isEmpty() && allCounted();
  }

  /** Whether no peer needs this rank any more for its own requests of this launch. */
  boolean settled() {
    return connections.settled(epoch);
  }

  private boolean allCounted() {
    boolean ignored = counts.progress();
    return counts.isEmpty();
  }

  /** A queue that accepts no more requests, if there is one. */
  Optional<SendQueue> failedQueue() {
    return connections.queues().stream().filter(q -> q.failure().isPresent()).findFirst();
  }

  Optional<Integer> failure() {
    return lanes.stream().map(LaneRun::failure).filter(code -> code != 0).findFirst();
  }

  /** The steps and requests that the rank waits for. */
  String waiting() {
    List<String> lines = new ArrayList<>();
    lanes.stream().filter(l -> !l.ended()).map(LaneRun::waiting).forEach(lines::add);
    if (lines.isEmpty()) {
      lines.add("rank=%d: requests under way".formatted(program.rank()));
    }
    return String.join("; ", lines);
  }

  @Override
  public void close() {
    // Memory that could not be deregistered is not freed: its interfaces may still write it.
    new ClosingSequence()
        .then(connections::close)
        .then(() -> {
          exported.close();
          memory.close();
        })
        .end();
  }
}
