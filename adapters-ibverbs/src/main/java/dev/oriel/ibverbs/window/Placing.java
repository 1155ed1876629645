package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.Deadline;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/**
 * To whom one window put what may not be in their memory yet.
 *
 * <p>What goes through one queue pair is placed in order, so a word to the same peer comes behind
 * the puts. That a put has completed says that the peer's interface has it, not that it is placed;
 * a later read through the same queue pair is answered behind it. So before a word goes to anybody
 * else, who may tell the peer, each peer that was put to is read from.
 */
final class Placing {
  private final Turns turns;
  private final Map<Integer, Far> peers;
  private final VerbsMemory scratch;

  /** How many puts a peer got, and behind how many of them it has answered a read. */
  private static final class Puts {
    long posted;
    long placed;
  }

  /** By peer; changed while this lane has its turn, since lanes put and read back at once. */
  private final Map<Integer, Puts> puts = new TreeMap<>();

  /**
   * @param scratch its word at {@link Board#SCRATCH_READ} may be overwritten by what is read back
   */
  Placing(Turns turns, Map<Integer, Far> peers, VerbsMemory scratch) {
    this.turns = turns;
    this.peers = peers;
    this.scratch = scratch;
    peers.keySet().forEach(peer -> puts.put(peer, new Puts()));
  }

  /** All of a put to that peer was posted. */
  void put(int peer) {
    turns.change(() -> of(peer).posted++);
  }

  private Puts of(int peer) {
    return Objects.requireNonNull(puts.get(peer));
  }

  /** Before a word goes to that rank: what others were put to is in their memory. */
  void before(int owner, Deadline deadline) throws TimeoutException {
    for (Far far : turns.locked(() -> owing(owner))) {
      readBack(far, of(far.peer()), deadline);
    }
  }

  /** Those but the owner who have not answered behind all that they were put to. */
  private List<Far> owing(int owner) {
    return peers.values().stream()
        .filter(far -> far.peer() != owner && of(far.peer()).placed < of(far.peer()).posted)
        .toList();
  }

  /** All that was put is in their memory. */
  void all(Deadline deadline) throws TimeoutException {
    before(-1, deadline);
  }

  /** Sources of all that was put may be overwritten, and what was got is there. */
  void flush(Deadline deadline) throws TimeoutException {
    for (Far far : peers.values()) {
      far.flush(deadline);
    }
  }

  private void readBack(Far far, Puts of, Deadline deadline) throws TimeoutException {
    long posted = turns.locked(() -> of.posted);
    far.get(0, scratch, Board.SCRATCH_READ, Math.min(Long.BYTES, far.data().bytes()));
    far.flush(deadline);
    turns.change(() -> of.placed = Math.max(of.placed, posted));
  }
}
