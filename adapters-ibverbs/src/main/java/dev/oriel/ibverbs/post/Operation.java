package dev.oriel.ibverbs.post;

import java.util.Optional;

/** What a network interface is asked to do, with operands fixed at the time of posting. */
public sealed interface Operation {

  /** What it does at the peer. */
  default Effect effect() {
    return switch (this) {
      case Write _, SetSlot _, SetWord _ -> Effect.WRITES;
      case Read _, ReadBack _ -> Effect.READS;
      case AddSlot _, AddWord _, SwapWord _ -> Effect.CHANGES;
    };
  }

  /** Writes this rank's bytes into the peer's: RDMA_WRITE. */
  record Write(BufferRange local, BufferRange remote) implements Operation {}

  /** Reads the peer's bytes into this rank's: RDMA_READ. */
  record Read(BufferRange local, BufferRange remote) implements Operation {}

  /** Writes a word that the request itself carries: RDMA_WRITE, inline. */
  record SetSlot(SlotWord slot, long value) implements Operation {}

  /** Adds to a word, atomically among requests of the owner's interface: FETCH_AND_ADD. */
  record AddSlot(SlotWord slot, long value) implements Operation {}

  /** Writes a word of the peer's memory that the request itself carries: RDMA_WRITE, inline. */
  record SetWord(BufferRange word, long value) implements Operation {}

  /**
   * Adds to a word of the peer's memory, atomically among requests of its interface: FETCH_AND_ADD.
   *
   * @param old where what it was goes, of this rank's memory; absent if nobody reads it
   */
  record AddWord(Optional<BufferRange> old, BufferRange word, long value) implements Operation {}

  /**
   * Gives a word of the peer's memory another value if it has the expected one, atomically among
   * requests of its interface: COMPARE_AND_SWAP.
   *
   * @param old as in {@link AddWord}
   */
  record SwapWord(Optional<BufferRange> old, BufferRange word, long expected, long value)
      implements Operation {}

  /** Reads the peer's first slot and drops it, so that earlier writes are placed: RDMA_READ. */
  record ReadBack(int peer) implements Operation {}
}
