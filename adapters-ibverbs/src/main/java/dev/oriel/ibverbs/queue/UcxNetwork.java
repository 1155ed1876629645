package dev.oriel.ibverbs.queue;

import static java.nio.ByteOrder.BIG_ENDIAN;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.MessagePieces;
import dev.oriel.ibverbs.queue.ConnectedRanks.PostingPath;
import dev.oriel.ibverbs.queue.ConnectedRanks.RemoteMemoryKey;
import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.MemoryBacking;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RemoteNetwork;
import dev.oriel.ports.setup.StepAgreement;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Ranks of several processes or hosts over UCX. Posters hand their requests to the thread that
 * calls for progress; the memory that peers reach is the host's.
 */
public final class UcxNetwork implements RemoteNetwork {
  private final int slots;
  private final int depth;

  /**
   * A network without connections.
   *
   * @param slots of each queue, a power of two
   * @param depth the requests that UCX may have under way to a peer
   * @throws MachineException if this machine has no UCX, with the reason and the remedy
   */
  public UcxNetwork(int slots, int depth) {
    this.slots = slots;
    this.depth = depth;
    String _ = UcxConnections.version();
  }

  @Override
  public QueueFormat format() {
    return ProxyQueues.format(ConnectedRanks.MESSAGE);
  }

  @Override
  public QueueNetwork.Connection connect(
      String step, Bootstrap ranks, ReachedMemory own, InitiatorMemory posters) {
    Carried[] made = new Carried[1];
    try {
      Carried carried =
          StepAgreement.all(
              ranks,
              step + ": open UCX",
              () -> made[0] = new Carried(ranks.rank(), ranks.world(), own, depth));
      List<byte[]> offers = ranks.allGather(step + ": exchange", carried.offers());
      return StepAgreement.all(
          ranks,
          step + ": connect",
          () -> {
            carried.connect(offers);
            return ProxyConnection.over(
                carried,
                slots,
                new TreeMap<>(java.util.Map.of(ranks.rank(), own)),
                ranks.world(),
                (rank, peer) -> rank == ranks.rank() && !peer.equals(rank),
                posters);
          });
    } catch (RuntimeException e) {
      Carried open = made[0];
      throw open == null ? e : ClosingSequence.closeAfter(e, open::close);
    }
  }

  /** One rank's memory and connections. */
  private static final class Carried implements RequestCarrier.CarrierConnection {
    private final int rank;
    private final int world;
    private final UcxConnections connections;
    private final ReachedMemory own;
    private final HostMemory host;
    private final ExportedMemory exported;
    private final TreeMap<Integer, VerbsInitiator> posters = new TreeMap<>();

    Carried(int rank, int world, ReachedMemory own, int depth) {
      this.rank = rank;
      this.world = world;
      this.own = own;
      this.host = host(own);
      this.connections = new UcxConnections(rank, world, depth);
      try {
        this.exported = connections.export(host);
      } catch (RuntimeException e) {
        throw ClosingSequence.closeAfter(e, connections::close);
      }
    }

    private static HostMemory host(ReachedMemory own) {
      if (own.backing() instanceof MemoryBacking.Host(var bytes)) {
        return HostMemory.of(bytes);
      }
      throw new MachineException(
          "UCX reaches the host's memory only: address=0x%x; keep what peers reach there"
              .formatted(own.address()));
    }

    /** Where the memory is for posters and for the network, and an offer for each peer. */
    byte[] offers() {
      List<byte[]> pieces = new ArrayList<>();
      pieces.add(
          ByteBuffer.allocate(2 * Long.BYTES)
              .order(BIG_ENDIAN)
              .putLong(own.address())
              .putLong(host.address())
              .array());
      for (int peer = 0; peer < world; peer++) {
        pieces.add(peer == rank ? new byte[0] : connections.offer(peer));
      }
      return MessagePieces.bytes(pieces);
    }

    void connect(List<byte[]> offers) {
      RemoteMemoryKey mine =
          new RemoteMemoryKey(host.address() - own.address(), exported.localKey(0));
      for (int peer = 0; peer < world; peer++) {
        if (peer != rank) {
          List<byte[]> pieces = MessagePieces.parse(peer, offers.get(peer), 1 + world);
          connections.connect(peer, pieces.get(1 + rank));
          // Every rank exports one memory after the one in which it counts ended launches.
          RemoteMemoryKey theirs =
              new RemoteMemoryKey(shift(peer, pieces.getFirst()), exported.remoteKeys().getFirst());
          posters.put(
              peer,
              new VerbsInitiator(
                  new PostingPath(connections.queue(peer, 0), mine, theirs, /* atomics */ true)));
        }
      }
    }

    private static long shift(int peer, byte[] addresses) {
      if (addresses.length != 2 * Long.BYTES) {
        throw new MachineException(
            "bytes are no addresses of a rank: rank=%d, length=%d; run the same version on all ranks"
                .formatted(peer, addresses.length));
      }
      ByteBuffer both = ByteBuffer.wrap(addresses).order(BIG_ENDIAN);
      long forPosters = both.getLong();
      return both.getLong() - forPosters;
    }

    @Override
    public RequestCarrier.OnwardQueue onward(int from, int peer) {
      return Objects.requireNonNull(posters.get(peer));
    }

    @Override
    public boolean progress() {
      return connections.progress();
    }

    @Override
    public boolean settled(long round) {
      return connections.settled(round);
    }

    @Override
    public Optional<String> failure() {
      return posters.values().stream()
          .map(VerbsInitiator::failure)
          .flatMap(Optional::stream)
          .findFirst();
    }

    @Override
    public void close() {
      new ClosingSequence().then(connections::close).then(exported::close).end();
    }
  }
}
