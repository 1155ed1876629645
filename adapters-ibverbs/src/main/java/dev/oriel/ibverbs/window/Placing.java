package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
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
  /** A peer that is gone fails the queue after its retries; this is for one that is stuck. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Map<Integer, Far> peers;
  private final VerbsMemory scratch;
  private final BitSet put = new BitSet();

  /**
   * @param scratch its word at {@link Board#SCRATCH_READ} may be overwritten by what is read back
   */
  Placing(Map<Integer, Far> peers, VerbsMemory scratch) {
    this.peers = peers;
    this.scratch = scratch;
  }

  /** The peer was put to. */
  void put(int peer) {
    put.set(peer);
  }

  /** Before a word goes to that rank: what others were put to is in their memory. */
  void before(int owner) {
    for (int peer = put.nextSetBit(0); peer >= 0; peer = put.nextSetBit(peer + 1)) {
      if (peer != owner) {
        readBack(peer);
      }
    }
  }

  /** All that was put is in their memory. */
  void all() {
    before(-1);
  }

  /** Sources of all that was put may be overwritten, and what was got is there. */
  void flush() {
    peers.forEach((peer, far) -> flush(far, peer));
  }

  private void readBack(int peer) {
    Far far = Objects.requireNonNull(peers.get(peer));
    far.data().get(0, scratch, Board.SCRATCH_READ, Math.min(Long.BYTES, far.data().bytes()));
    flush(far, peer);
    put.clear(peer);
  }

  /** Waits for the ends of what is under way to that peer. */
  static void flush(Far far, int peer) {
    try {
      far.data().flush(PATIENCE);
    } catch (TimeoutException e) {
      throw new MachineException(
          "puts do not come to their end: peer=%d, waited=%s; see that the peer lives and the link is up"
              .formatted(peer, PATIENCE),
          e);
    }
  }
}
