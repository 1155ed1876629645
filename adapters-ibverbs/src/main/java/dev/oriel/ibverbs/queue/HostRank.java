package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.queue.ConnectedRanks.PostingPath;
import dev.oriel.ibverbs.queue.ConnectedRanks.RemoteMemoryKey;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.queue.MemoryBacking;
import dev.oriel.ports.queue.ReachedMemory;
import dev.oriel.ports.queue.RequestField;
import dev.oriel.ports.queue.RequestKind;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One rank whose memory is the host's: UCX reads and writes it directly. */
final class HostRank implements UcxNetwork.Joining {
  private final ReachedMemory own;
  private final HostMemory host;
  private final UcxPeers peers;
  private final TreeMap<Integer, BoundedQueue> posters = new TreeMap<>();

  HostRank(int rank, int world, ReachedMemory own, int depth) {
    this.own = own;
    this.host = host(own);
    this.peers = new UcxPeers(rank, world, host, depth);
  }

  private static HostMemory host(ReachedMemory own) {
    if (own.backing() instanceof MemoryBacking.Host(var bytes)) {
      return HostMemory.of(bytes);
    }
    throw new MachineException(
        "UCX reaches the host's memory only: address=0x%x; keep what peers reach there, or use a network that copies"
            .formatted(own.address()));
  }

  @Override
  public byte[] offers() {
    return peers.offers(own.address());
  }

  @Override
  public void connect(List<byte[]> offers) {
    RemoteMemoryKey mine = new RemoteMemoryKey(host.address() - own.address(), peers.key());
    peers
        .connect(offers)
        .forEach((rank, peer) -> {
          RemoteMemoryKey theirs = new RemoteMemoryKey(peer.host() - peer.posted(), peer.key());
          PostingPath path = new PostingPath(peer.queue(), mine, theirs, /* atomics= */ true);
          posters.put(rank, new BoundedQueue(rank, new VerbsInitiator(path), peer));
        });
  }

  /**
   * A queue that refuses addresses outside the memory of the two ranks. UCX may execute a request
   * in software, and then does not check where it writes.
   */
  private final class BoundedQueue implements RequestCarrier.OnwardQueue {
    private final int rank;
    private final VerbsInitiator poster;
    private final UcxPeers.Peer peer;

    BoundedQueue(int rank, VerbsInitiator poster, UcxPeers.Peer peer) {
      this.rank = rank;
      this.poster = poster;
      this.peer = peer;
    }

    @Override
    public boolean room() {
      return poster.room();
    }

    @Override
    public void post(RequestKind kind, boolean fenced, Map<RequestField, Long> fields) {
      long length =
          kind == RequestKind.WRITE || kind == RequestKind.READ
              ? fields.getOrDefault(RequestField.LENGTH, 0L)
              : Long.BYTES;
      require(kind, fields.get(RequestField.REMOTE), length, peer.posted(), peer.bytes());
      if (kind != RequestKind.WRITE_WORD) {
        require(kind, fields.get(RequestField.LOCAL), length, own.address(), own.size());
      }
      poster.post(kind, fenced, fields);
    }

    private void require(
        RequestKind kind, @Nullable Long address, long length, long memory, long size) {
      long offset = address == null ? -1 : address - memory;
      if (length < 0 || offset < 0 || offset > size - length) {
        throw new MachineException(
            "no memory of the rank: peer=%d, kind=%s, address=0x%x, length=%d, memory=0x%x, size=%d; post addresses in the memory of the two ranks"
                .formatted(rank, kind, memory + offset, length, memory, size));
      }
    }

    @Override
    public long completed() {
      return poster.completed();
    }

    @Override
    public boolean failed() {
      return poster.failed();
    }

    Optional<String> failure() {
      return poster.failure();
    }
  }

  @Override
  public RequestCarrier.OnwardQueue onward(int from, int peer) {
    return Objects.requireNonNull(posters.get(peer));
  }

  @Override
  public boolean progress() {
    return peers.progress();
  }

  @Override
  public boolean settled(long round) {
    return peers.settled(round);
  }

  @Override
  public Optional<String> failure() {
    return posters.values().stream()
        .map(BoundedQueue::failure)
        .flatMap(Optional::stream)
        .findFirst();
  }

  @Override
  public void close() {
    peers.close();
  }
}
