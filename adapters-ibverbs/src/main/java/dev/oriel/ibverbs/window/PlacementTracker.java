package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * Notes the peers to which one window has put bytes that may not be in their memory yet.
 *
 * <p>Requests of one queue pair are placed in order: a word to a peer is placed after the puts to
 * the same peer. The completion of a put says that the peer's interface has the bytes, not that
 * they are placed. A later read through the same queue pair is answered after they are placed.
 * Another rank that receives a word may notify the peer. Before a word is sent to it, each peer
 * with outstanding puts is therefore read from.
 */
final class PlacementTracker {
  private final FabricMonitor turns;
  private final Map<Integer, RemotePeer> peers;
  private final VerbsMemory scratch;

  /** The number of puts to a peer, and the number of them that an answered read came after. */
  private static final class Puts {
    long posted;
    long placed;
  }

  /**
   * By peer; changed only while this lane has the fabric, since several lanes put and read back at
   * once.
   */
  private final Map<Integer, Puts> puts = new TreeMap<>();

  /**
   * Notes no puts yet.
   *
   * @param scratch its word at {@link AbortBoard#SCRATCH_READ} may be overwritten by reads
   */
  PlacementTracker(FabricMonitor turns, Map<Integer, RemotePeer> peers, VerbsMemory scratch) {
    this.turns = turns;
    this.peers = peers;
    this.scratch = scratch;
    peers.keySet().forEach(peer -> puts.put(peer, new Puts()));
  }

  /** Notes that all of a put to that peer is posted. */
  void put(int peer) {
    turns.change(() -> of(peer).posted++);
  }

  private Puts of(int peer) {
    return Objects.requireNonNull(puts.get(peer));
  }

  /** Called before a word to that rank: waits until the puts to other ranks are placed. */
  void before(int owner, Deadline deadline) throws TimeoutException {
    for (RemotePeer far : turns.locked(() -> owing(owner))) {
      readBack(far, of(far.peer()), deadline);
    }
  }

  /** The peers other than the owner with puts that no answered read came after. */
  private List<RemotePeer> owing(int owner) {
    return peers.values().stream()
        .filter(far -> far.peer() != owner && of(far.peer()).placed < of(far.peer()).posted)
        .toList();
  }

  /** Waits until all puts are placed and all words have arrived. */
  void settle(Deadline deadline) {
    for (RemotePeer far : peers.values()) {
      try {
        if (turns.locked(() -> owing(-1)).contains(far)) {
          readBack(far, of(far.peer()), deadline);
        } else {
          far.flush(deadline);
        }
      } catch (MachineException | TimeoutException e) {
        // This peer is gone, or its queue has failed. It receives nothing more, so there is nothing
        // to wait for, and the window's users were notified. The other peers are waited for.
      }
    }
  }

  /**
   * Waits until the sources of all puts may be overwritten, and the results of all gets are there.
   */
  void flush(Deadline deadline) throws TimeoutException {
    for (RemotePeer far : peers.values()) {
      far.flush(deadline);
    }
  }

  private void readBack(RemotePeer far, Puts of, Deadline deadline) throws TimeoutException {
    long posted = turns.locked(() -> of.posted);
    far.get(0, scratch, AbortBoard.SCRATCH_READ, Math.min(Long.BYTES, far.data().bytes()));
    far.flush(deadline);
    turns.change(() -> of.placed = Math.max(of.placed, posted));
  }
}
