package dev.oriel.ibverbs.fabric;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.setup.AllocationLedger;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Host memory of one rank, reached by its peers over an RDMA device.
 *
 * <p>Puts and words to one peer go through one queue pair, in order. An interface places a write's
 * bytes before those of the next write of the same queue pair, in memory whose order is strict.
 */
public final class VerbsFabric implements Fabric {
  private final Runnable closing;
  private final PeerConnections endpoint;
  private final RankFacts facts;
  private final int rank;
  private final Clock clock;
  private final AllocationLedger allotment;
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  /**
   * A fabric on an open device, which it closes with itself.
   *
   * @param capacity the most bytes that it allocates
   */
  public VerbsFabric(
      DeviceContext context,
      int rank,
      int world,
      RankFacts facts,
      VerbsSettings settings,
      long capacity,
      Clock clock) {
    this(
        new RankEndpoint(context, rank, world, settings),
        context::close,
        rank,
        facts,
        capacity,
        clock);
  }

  /**
   * A fabric over connections, which it closes with itself.
   *
   * @param closing runs after them
   * @param capacity the most bytes that it allocates
   */
  public VerbsFabric(
      PeerConnections endpoint,
      Runnable closing,
      int rank,
      RankFacts facts,
      long capacity,
      Clock clock) {
    this.closing = closing;
    this.rank = rank;
    this.facts = facts;
    this.allotment = new AllocationLedger(capacity);
    this.clock = clock;
    this.endpoint = endpoint;
  }

  @Override
  public RankFacts facts() {
    return facts;
  }

  /**
   * Does an action while no other thread uses the connections. Where several threads share the
   * fabric, each posts requests and asks for completions in such an action. Setup needs none.
   */
  public <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** The same for an action without a result. */
  public void change(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public byte[] offer(int peer) {
    return locked(() -> endpoint.offer(peer));
  }

  @Override
  public void connect(int peer, byte[] offer) {
    change(() -> endpoint.connect(peer, offer));
  }

  /**
   * Ends the connections, so that no request of a peer arrives any more. Memory may then be freed.
   */
  public void disconnect() {
    change(endpoint::disconnect);
  }

  @Override
  public VerbsMemory allocate(long bytes) {
    return locked(() -> newMemory(bytes));
  }

  private VerbsMemory newMemory(long bytes) {
    allotment.require(bytes, Long.MAX_VALUE);
    // A registration has at least one byte: memory of length 0 has one that no access reaches.
    HostMemory memory = HostMemory.allocate(Math.max(bytes, Long.BYTES));
    try {
      VerbsMemory made = new VerbsMemory(this, rank, bytes, memory, endpoint.export(memory), bytes);
      allotment.opened(bytes);
      return made;
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, memory::close);
    }
  }

  /**
   * The application's memory, to which interfaces have access until the result is closed. The
   * memory stays the application's.
   *
   * @throws MachineException if it is no memory of this process, or cannot be registered
   */
  public VerbsMemory register(UserMemory user) {
    return locked(() -> {
      HostMemory memory = HostMemory.of(user);
      VerbsMemory made =
          new VerbsMemory(this, rank, user.bytes(), memory, endpoint.export(memory), 0);
      allotment.opened(0);
      return made;
    });
  }

  @Override
  public VerbsRemote open(int peer, byte[] export) {
    return locked(() -> newRemote(peer, export));
  }

  private VerbsRemote newRemote(int peer, byte[] export) {
    SendQueue queue = endpoint.queue(peer, 0);
    WireMessage.Export memory = WireMessage.Export.parse(export);
    if (memory.owner() != peer) {
      throw new MachineException(
          "memory of another rank: peer=%d, owner=%d; open it as its owner's"
              .formatted(peer, memory.owner()));
    }
    allotment.opened(0);
    return new VerbsRemote(this, endpoint, queue, memory, clock);
  }

  /** Processes completions; returns whether there were any. Never waits. */
  public boolean progress() {
    return endpoint.progress();
  }

  /** See {@link PeerConnections#failure}. */
  public Optional<String> failure() {
    return locked(endpoint::failure);
  }

  void released(long bytes) {
    allotment.closed(bytes);
  }

  @Override
  public long allocated() {
    return allotment.allocated();
  }

  @Override
  public void close() {
    allotment.requireNoneOpen();
    if (!closed) {
      closed = true;
      new ClosingSequence().then(() -> change(endpoint::close)).then(closing).end();
    }
  }
}
