package dev.oriel.ibverbs.ucx;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.PeerConnections;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * One rank's memory and connections over UCX, with one queue to each peer.
 *
 * <p>A peer's requests may be executed by this rank's own {@link #progress}. A rank therefore keeps
 * on until all its peers have told that their requests of a launch have completed: each writes the
 * launch's number into a word of every peer.
 */
public final class UcxConnections implements PeerConnections {
  private final int rank;
  private final int world;
  private final int depth;
  private final UcxWorker worker;
  private final List<UcxWorker.Registered> memories = new ArrayList<>();
  private final TreeMap<Integer, UcxQueue> peers = new TreeMap<>();
  private final TreeMap<Integer, Announcement> announcements = new TreeMap<>();

  /** By peer, the last launch whose requests have completed. */
  private final HostMemory ended;

  /** The number that this rank writes to its peers. */
  private final HostMemory own;

  private long announced;

  /** Where a peer counts this rank's launches, and the write to it that is under way. */
  private static final class Announcement {
    private final UcxEndpoint endpoint;
    private final long address;
    private long write = UcxStatus.OK;

    Announcement(UcxEndpoint endpoint, long address) {
      this.endpoint = endpoint;
      this.address = address;
    }

    boolean sent() {
      int status = endpoint.answer(write);
      if (status != UcxStatus.IN_PROGRESS) {
        write = status;
      }
      return status != UcxStatus.IN_PROGRESS;
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
    this.worker = new UcxWorker(UcxLibrary.load());
    this.ended = HostMemory.allocate((long) Long.BYTES * world);
    this.own = HostMemory.allocate(Long.BYTES);
    try {
      memories.add(worker.register(ended));
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
    int number = memories.size();
    memories.add(worker.register(memory));
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
        // The memory is deregistered when the connections are closed.
      }
    };
  }

  @Override
  public byte[] offer(int peer) {
    if (peer < 0 || peer >= world) {
      throw new MachineException(
          "no such rank: peer=%d, world=%d; use 0 to %d".formatted(peer, world, world - 1));
    }
    return new UcxOffer(
            rank,
            peer,
            ended.address(),
            worker.address(),
            memories.stream().map(UcxWorker.Registered::key).toList())
        .bytes();
  }

  @Override
  public void connect(int peer, byte[] offer) {
    if (peers.containsKey(peer)) {
      return;
    }
    UcxOffer theirs = UcxOffer.parse(offer);
    if (theirs.from() != peer || theirs.to() != rank) {
      throw new MachineException(
          "offer of another rank: from=%d, expected=%d, to=%d, rank=%d; exchange offers anew"
              .formatted(theirs.from(), peer, theirs.to(), rank));
    }
    UcxEndpoint endpoint = new UcxEndpoint(worker, theirs.address(), theirs.keys());
    peers.put(peer, new UcxQueue(worker, endpoint, peer, depth));
    if (peer != rank) {
      announcements.put(
          peer, new Announcement(endpoint, theirs.ended() + (long) Long.BYTES * rank));
    }
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
      announcements.values().stream()
          .filter(to -> to.endpoint.failure() == UcxStatus.OK)
          .forEach(to -> to.write = to.endpoint.putWord(own.address(), to.address));
    }
    boolean all = true;
    for (var to : announcements.entrySet()) {
      all &= to.getValue().sent();
      all &= ended.getAcquire((long) Long.BYTES * to.getKey()) >= launch;
    }
    return all;
  }

  @Override
  public void close() {
    new ClosingSequence()
        .each(announcements.values(), to -> to.endpoint.drop(to.write))
        .then(announcements::clear)
        .each(peers.values(), UcxQueue::close)
        .then(peers::clear)
        .each(memories, memory -> worker.deregister(memory.handle()))
        .then(memories::clear)
        .then(worker::close)
        .then(ended::close)
        .then(own::close)
        .end();
  }
}
