package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One rank whose memory only copies reach, as that of a GPU. Its requests go as messages to the
 * mailboxes of its peers. The thread that calls for progress executes the peers' messages in the
 * rank's memory, one after another. They are therefore atomic among each other, but not with what
 * the rank's own GPU does.
 */
final class MailboxRank implements UcxNetwork.Joining {
  private final int rank;
  private final ReachedMemory own;
  private final HostMemory boxes;
  private final UcxPeers peers;
  private final TreeMap<Integer, MailboxPeer> exchanges = new TreeMap<>();

  MailboxRank(int rank, int world, ReachedMemory own, int depth) {
    this.rank = rank;
    this.own = own;
    this.boxes = HostMemory.allocate(MailboxLayout.bytes(world));
    try {
      this.peers = new UcxPeers(rank, world, boxes, depth);
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, boxes::close);
    }
  }

  @Override
  public byte[] offers() {
    return peers.offers(own.address());
  }

  @Override
  public void connect(List<byte[]> offers) {
    peers
        .connect(offers)
        .forEach((peer, reached) ->
            exchanges.put(peer, new MailboxPeer(rank, peer, own, boxes, peers.key(), reached)));
  }

  @Override
  public RequestCarrier.OnwardQueue onward(int from, int peer) {
    return Objects.requireNonNull(exchanges.get(peer));
  }

  @Override
  public boolean progress() {
    boolean any = peers.progress();
    for (MailboxPeer exchange : exchanges.values()) {
      any |= exchange.progress();
    }
    return any;
  }

  @Override
  public boolean settled(long round) {
    return peers.settled(round);
  }

  @Override
  public Optional<String> failure() {
    return exchanges.values().stream()
        .map(MailboxPeer::failure)
        .flatMap(Optional::stream)
        .findFirst();
  }

  @Override
  public void close() {
    peers.close();
    boxes.close();
  }
}
