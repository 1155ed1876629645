package dev.oriel.ibverbs.post;

import java.util.Optional;

/** An operation for a network interface, with operands fixed at posting. */
public sealed interface PostOperation {

  /** Its effect at the peer. */
  default RequestEffect effect() {
    return switch (this) {
      case Write _, SetSlot _, SetWord _ -> RequestEffect.WRITES;
      case Read _, ReadBack _ -> RequestEffect.READS;
      case AddSlot _, AddWord _, SwapWord _ -> RequestEffect.CHANGES;
    };
  }

  /** Writes this rank's bytes into the peer's: RDMA_WRITE. */
  record Write(BufferRange local, BufferRange remote) implements PostOperation {}

  /** Reads the peer's bytes into this rank's: RDMA_READ. */
  record Read(BufferRange local, BufferRange remote) implements PostOperation {}

  /** Writes a word that is in the request itself: RDMA_WRITE, inline. */
  record SetSlot(SlotWord slot, long value) implements PostOperation {}

  /** Adds to a word, atomically among requests of the owner's interface: FETCH_AND_ADD. */
  record AddSlot(SlotWord slot, long value) implements PostOperation {}

  /** Writes a word of the peer's memory from the request itself: RDMA_WRITE, inline. */
  record SetWord(BufferRange word, long value) implements PostOperation {}

  /**
   * Adds to a word of the peer's memory, atomically among requests of its interface: FETCH_AND_ADD.
   *
   * @param old the place in this rank's memory for the old value; empty if it is not used
   */
  record AddWord(Optional<BufferRange> old, BufferRange word, long value)
      implements PostOperation {}

  /**
   * Compares a word of the peer's memory with the expected value and swaps it if equal, atomically
   * among requests of its interface: COMPARE_AND_SWAP.
   *
   * @param old as in {@link AddWord}
   */
  record SwapWord(Optional<BufferRange> old, BufferRange word, long expected, long value)
      implements PostOperation {}

  /** Reads the peer's first slot and drops the value: earlier writes are then placed. RDMA_READ. */
  record ReadBack(int peer) implements PostOperation {}
}
