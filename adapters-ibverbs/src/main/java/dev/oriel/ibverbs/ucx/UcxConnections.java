package dev.oriel.ibverbs.ucx;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.PollBackoff;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One rank's memory and connections over UCX, with one queue to each peer.
 *
 * <p>A peer's requests may be executed by this rank's own {@link #progress}. A rank therefore keeps
 * on until all its peers have told that their requests of a launch have completed: each writes the
 * launch's number into a word of every peer.
 */
public final class UcxConnections implements PeerConnections {
  /** How long a rank that leaves waits for its peers to leave as well. */
  private static final long LEAVING_NANOS = 5_000_000_000L;

  private final int rank;
  private final int world;
  private final int depth;
  private final UcxWorker worker;

  /** Memory that peers may access, by the number of its export. */
  private final NavigableMap<Integer, UcxWorker.Registered> memories = new TreeMap<>();

  private int exports;
  private final TreeMap<Integer, UcxQueue> peers = new TreeMap<>();
  private final TreeMap<Integer, Announcement> announcements = new TreeMap<>();

  /** By peer, the last launch whose requests have completed. */
  private final HostMemory ended;

  /** The number that this rank writes to its peers. */
  private final HostMemory own;

  private long announced;

  /** Whether this rank has made progress, so that peers may wait for its leave. */
  private boolean begun;

  /** A call to a peer whose answer may be under way. */
  private static final class Pending {
    private final UcxEndpoint endpoint;
    private long returned = UcxStatus.OK;

    Pending(UcxEndpoint endpoint) {
      this.endpoint = endpoint;
    }

    /** Replaces the call by one that has just returned. */
    void begin(long call) {
      endpoint.drop(returned);
      returned = call;
    }

    boolean ended() {
      int status = endpoint.answer(returned);
      if (status != UcxStatus.IN_PROGRESS) {
        returned = status;
      }
      return status != UcxStatus.IN_PROGRESS;
    }

    void drop() {
      begin(UcxStatus.OK);
    }
  }

  /** Where a peer counts this rank's launches, the last write to it, and the last flush. */
  private static final class Announcement {
    private final UcxEndpoint endpoint;
    private final long address;
    private final Pending write;
    private final Pending flush;

    Announcement(UcxEndpoint endpoint, long address) {
      this.endpoint = endpoint;
      this.address = address;
      this.write = new Pending(endpoint);
      this.flush = new Pending(endpoint);
    }

    void write(HostMemory number) {
      if (!lost()) {
        write.begin(endpoint.putWord(number.address(), address));
      }
    }

    /** Asks that all requests so far complete at the peer. */
    void flush() {
      if (!lost()) {
        flush.begin(endpoint.flush());
      }
    }

    /** Whether all before the last flush has completed, or the peer is gone. */
    boolean flushed() {
      return lost() || flush.ended();
    }

    boolean lost() {
      return endpoint.failure() != UcxStatus.OK;
    }

    void drop() {
      write.drop();
      flush.drop();
    }
  }

  /**
   * Opens UCX for a rank.
   *
   * @param depth the requests that one queue may have under way
   * @throws MachineException if this machine has no UCX, with the reason and the remedy
   */
  public UcxConnections(int rank, int world, int depth) {
    this.rank = rank;
    this.world = world;
    this.depth = depth;
    this.ended = HostMemory.allocate((long) Long.BYTES * world);
    this.own = HostMemory.allocate(Long.BYTES);
    try {
      this.worker = new UcxWorker(UcxLibrary.load());
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, this::free);
    }
    try {
      memories.put(exports++, worker.register(ended));
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, this::close);
    }
  }

  /**
   * The version of this machine's UCX, as {@code libucp.so.0 1.13.1}.
   *
   * @throws MachineException if there is none, with the reason and the remedy
   */
  public static String version() {
    UcxLibrary library = UcxLibrary.load();
    return UcxLibrary.NAME + " " + library.version();
  }

  @Override
  public long messageBytes() {
    return WorkRequest.MAX_BYTES;
  }

  @Override
  public boolean atomics() {
    return true;
  }

  @Override
  public ExportedMemory export(HostMemory memory) {
    int number = exports++;
    memories.put(number, worker.register(memory));
    return new ExportedMemory() {
      @Override
      public int localKey(int unused) {
        return number;
      }

      @Override
      public List<Integer> remoteKeys() {
        return List.of(number);
      }

      @Override
      public void close() {
        UcxWorker.Registered open = memories.remove(number);
        if (open != null) {
          worker.deregister(open.handle());
        }
      }
    };
  }

  @Override
  public byte[] offer(int peer) {
    if (peer < 0 || peer >= world) {
      throw new MachineException(
          "no such rank: peer=%d, world=%d; use 0 to %d".formatted(peer, world, world - 1));
    }
    return new UcxOffer(rank, peer, ended.address(), worker.address(), keys()).bytes();
  }

  private SortedMap<Integer, byte[]> keys() {
    SortedMap<Integer, byte[]> keys = new TreeMap<>();
    memories.forEach((number, memory) -> keys.put(number, memory.key()));
    return keys;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A later offer of a connected peer tells of the memory that it has exported and closed since.
   */
  @Override
  public void connect(int peer, byte[] offer) {
    UcxOffer theirs = UcxOffer.parse(offer);
    if (theirs.from() != peer || theirs.to() != rank) {
      throw new MachineException(
          "offer of another rank: from=%d, expected=%d, to=%d, rank=%d; exchange offers anew"
              .formatted(theirs.from(), peer, theirs.to(), rank));
    }
    UcxQueue connected = peers.get(peer);
    if (connected != null) {
      connected.learn(theirs.keys());
      return;
    }
    UcxEndpoint endpoint = new UcxEndpoint(worker, theirs.address(), theirs.keys());
    peers.put(peer, new UcxQueue(worker, endpoint, peer, depth));
    if (peer != rank) {
      announcements.put(
          peer, new Announcement(endpoint, theirs.ended() + (long) Long.BYTES * rank));
    }
  }

  /** The numbers of a peer's memories to which this rank has keys. */
  SortedSet<Integer> known(int peer) {
    return Objects.requireNonNull(peers.get(peer)).known();
  }

  /**
   * Always refused: bytes that are under way would arrive after it.
   *
   * @throws MachineException always
   */
  @Override
  public void reset() {
    throw new MachineException(
        "connections over UCX cannot be renewed: rank=%d; close the program and prepare it anew"
            .formatted(rank));
  }

  @Override
  public SendQueue queue(int peer, int lane) {
    UcxQueue queue = peers.get(peer);
    if (queue == null) {
      throw new MachineException(
          "not connected: peer=%d, connected=%s; connect both ends first"
              .formatted(peer, peers.keySet()));
    }
    return queue.queue();
  }

  @Override
  public List<SendQueue> queues() {
    return peers.values().stream().map(UcxQueue::queue).toList();
  }

  @Override
  public boolean progress() {
    begun = true;
    boolean any = worker.progress();
    for (UcxQueue queue : peers.values()) {
      any |= queue.progress();
    }
    return any;
  }

  @Override
  public boolean settled(long launch) {
    if (announced < launch) {
      announced = launch;
      own.setRelease(0, launch);
      announcements.values().forEach(to -> to.write(own));
    }
    boolean all = true;
    for (var to : announcements.entrySet()) {
      all &= to.getValue().write.ended();
      all &= ended.getAcquire((long) Long.BYTES * to.getKey()) >= launch;
    }
    return all;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here the first lost peer ends all connections, see {@link UcxWorker}.
   */
  @Override
  public Optional<String> failure() {
    return worker.isStopped()
        ? peers.values().stream().flatMap(queue -> queue.failure().stream()).findFirst()
        : Optional.empty();
  }

  /**
   * Tells all peers that this rank leaves, and executes their requests until each has told the
   * same. For a peer that goes on, the connection fails. The wait ends early if a peer is lost: if
   * its connection ends before it has told that it leaves.
   *
   * <p>A rank tells its peers once all its own requests have completed. After all have told, no
   * answer is under way that could find its connection closed: the library (1.13) would end the
   * process. It may also crash if a connection is closed while an atomic is unanswered.
   */
  private void leave() {
    long begin = System.nanoTime();
    progress(begin, () -> peers.values().stream().allMatch(UcxQueue::hasStarted));
    if (flush(begin)) {
      worker.leave();
      progress(begin, this::haveAllTold);
      boolean _ = flush(begin);
    } else {
      worker.stop();
    }
  }

  /** Makes progress until that is so, a peer is lost, or the time to leave is over. */
  private void progress(long begin, BooleanSupplier done) {
    PollBackoff idle = new PollBackoff();
    while (!done.getAsBoolean()
        && !worker.isStopped()
        && System.nanoTime() - begin < LEAVING_NANOS) {
      if (progress()) {
        idle.busy();
      } else {
        idle.rest();
      }
    }
  }

  /** Whether all requests so far have completed, in the time to leave. */
  private boolean flush(long begin) {
    announcements.values().forEach(Announcement::flush);
    progress(begin, this::haveAllFlushed);
    return haveAllFlushed() && !worker.isStopped();
  }

  private boolean haveAllFlushed() {
    return announcements.values().stream().allMatch(Announcement::flushed);
  }

  private boolean haveAllTold() {
    boolean all = settled(Long.MAX_VALUE);
    for (var to : announcements.entrySet()) {
      if (to.getValue().lost()
          && ended.getAcquire((long) Long.BYTES * to.getKey()) < Long.MAX_VALUE) {
        worker.stop();
      }
    }
    return all;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here this rank itself executes what peers request, as long as it is connected.
   */
  @Override
  public void disconnect() {
    new ClosingSequence().then(this::leave).then(this::hangUp).end();
  }

  private void hangUp() {
    worker.closing();
    new ClosingSequence()
        .each(announcements.values(), Announcement::drop)
        .then(announcements::clear)
        .each(peers.values(), UcxQueue::close)
        .then(peers::clear)
        .end();
  }

  @Override
  public void close() {
    new ClosingSequence()
        .then(() -> {
          if (begun) {
            leave();
          }
        })
        .then(this::hangUp)
        .each(memories.values(), memory -> worker.deregister(memory.handle()))
        .then(memories::clear)
        .then(worker::close)
        .then(this::free)
        .end();
  }

  private void free() {
    ended.close();
    own.close();
  }
}
