package dev.oriel.ibverbs.queue;

import static java.nio.ByteOrder.BIG_ENDIAN;

import dev.oriel.ibverbs.fabric.ExportedMemory;
import dev.oriel.ibverbs.fabric.MessagePieces;
import dev.oriel.ibverbs.fabric.SendQueue;
import dev.oriel.ibverbs.ucx.UcxConnections;
import dev.oriel.ibverbs.verbs.ClosingSequence;
import dev.oriel.ibverbs.verbs.HostMemory;
import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One rank's connections over UCX, and the one memory of the host that all its peers reach. */
final class UcxPeers implements AutoCloseable {
  private static final int OFFERED = 3 * Long.BYTES;

  private final int rank;
  private final int world;
  private final HostMemory host;
  private final UcxConnections connections;
  private final ExportedMemory exported;

  /**
   * A connected peer.
   *
   * @param key of its memory
   * @param posted where posters expect its memory
   * @param host where its memory is in its process
   * @param bytes of its memory
   */
  record Peer(SendQueue queue, int key, long posted, long host, long bytes) {}

  /**
   * Opens UCX for a rank, and exports the memory; the memory stays the caller's.
   *
   * @throws MachineException if this machine has no UCX, with the reason and the remedy
   */
  UcxPeers(int rank, int world, HostMemory host, int depth) {
    this.rank = rank;
    this.world = world;
    this.host = host;
    this.connections = new UcxConnections(rank, world, depth);
    try {
      this.exported = connections.export(host);
    } catch (RuntimeException e) {
      throw ClosingSequence.closeAfter(e, connections::close);
    }
  }

  /**
   * The bytes by which each peer connects.
   *
   * @param posted where posters expect this rank's memory
   */
  byte[] offers(long posted) {
    List<byte[]> pieces = new ArrayList<>();
    pieces.add(
        ByteBuffer.allocate(OFFERED)
            .order(BIG_ENDIAN)
            .putLong(posted)
            .putLong(host.address())
            .putLong(host.bytes())
            .array());
    for (int peer = 0; peer < world; peer++) {
      pieces.add(peer == rank ? new byte[0] : connections.offer(peer));
    }
    return MessagePieces.bytes(pieces);
  }

  /** Connects to all peers by what each of them offered. */
  SortedMap<Integer, Peer> connect(List<byte[]> offers) {
    SortedMap<Integer, Peer> peers = new TreeMap<>();
    for (int peer = 0; peer < world; peer++) {
      if (peer != rank) {
        List<byte[]> pieces = MessagePieces.parse(peer, offers.get(peer), 1 + world);
        connections.connect(peer, pieces.get(1 + rank));
        ByteBuffer offered = offered(peer, pieces.getFirst());
        // Every rank exports one memory after the one in which it counts ended launches.
        peers.put(
            peer,
            new Peer(
                connections.queue(peer, 0),
                exported.remoteKeys().getFirst(),
                offered.getLong(),
                offered.getLong(),
                offered.getLong()));
      }
    }
    return peers;
  }

  private static ByteBuffer offered(int peer, byte[] bytes) {
    if (bytes.length != OFFERED) {
      throw new MachineException(
          "bytes are no offer of a rank: rank=%d, length=%d; run the same version on all ranks"
              .formatted(peer, bytes.length));
    }
    return ByteBuffer.wrap(bytes).order(BIG_ENDIAN);
  }

  /** The key of the own memory. */
  int key() {
    return exported.localKey(0);
  }

  boolean progress() {
    return connections.progress();
  }

  boolean settled(long round) {
    return connections.settled(round);
  }

  @Override
  public void close() {
    new ClosingSequence().then(connections::close).then(exported::close).end();
  }
}
