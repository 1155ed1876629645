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

/**
 * Host memory of one rank, reached by its peers over an RDMA device.
 *
 * <p>Puts and words to one peer go through one queue pair, in order. An interface places a write's
 * bytes before those of the next write of the same queue pair, in memory whose order is strict.
 */
public final class VerbsFabric implements Fabric {
  private final DeviceContext context;
  private final PeerConnections endpoint;
  private final RankFacts facts;
  private final int rank;
  private final Clock clock;
  private final AllocationLedger allotment;
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
    this.context = context;
    this.rank = rank;
    this.facts = facts;
    this.allotment = new AllocationLedger(capacity);
    this.clock = clock;
    this.endpoint = new RankEndpoint(context, rank, world, settings);
  }

  @Override
  public RankFacts facts() {
    return facts;
  }

  @Override
  public byte[] offer(int peer) {
    return endpoint.offer(peer);
  }

  @Override
  public void connect(int peer, byte[] offer) {
    endpoint.connect(peer, offer);
  }

  @Override
  public VerbsMemory allocate(long bytes) {
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
    HostMemory memory = HostMemory.of(user);
    VerbsMemory made =
        new VerbsMemory(this, rank, user.bytes(), memory, endpoint.export(memory), 0);
    allotment.opened(0);
    return made;
  }

  @Override
  public VerbsRemote open(int peer, byte[] export) {
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
      new ClosingSequence().then(endpoint::close).then(context::close).end();
    }
  }
}
