package dev.oriel.ibverbs.post;

import dev.oriel.ports.MachineException;

/** A request in addresses and keys: the contents of a send work request. */
public sealed interface WorkRequest {
  /** The longest message. */
  long MAX_BYTES = Integer.MAX_VALUE;

  /** The number that its completion repeats. */
  long id();

  /** Whether its completion is reported. */
  boolean signalled();

  /** Whether it starts only after the queue's earlier reads and atomics are complete. */
  boolean fenced();

  /** Its address at the peer; {@link Remote#NOWHERE} if the peer determines it. */
  Remote remote();

  /** RDMA_WRITE of registered memory. */
  record Write(long id, boolean signalled, boolean fenced, Local local, Remote remote)
      implements WorkRequest {}

  /**
   * RDMA_WRITE that also consumes a receive of the peer's; that receive's completion has the
   * immediate.
   */
  record WriteImmediate(
      long id, boolean signalled, boolean fenced, Local local, Remote remote, int immediate)
      implements WorkRequest {}

  /** SEND of registered memory into the peer's next receive. */
  record Send(long id, boolean signalled, boolean fenced, Local local) implements WorkRequest {
    @Override
    public Remote remote() {
      return Remote.NOWHERE;
    }
  }

  /** RDMA_READ into registered memory. */
  record Read(long id, boolean signalled, boolean fenced, Local local, Remote remote)
      implements WorkRequest {}

  /** RDMA_WRITE of one word that is inline in the request. */
  record WriteWord(long id, boolean signalled, boolean fenced, long value, Remote remote)
      implements WorkRequest {}

  /** ATOMIC_FETCH_AND_ADD; the old word is stored in {@code local}, which is 8 bytes long. */
  record FetchAdd(
      long id, boolean signalled, boolean fenced, long addend, Local local, Remote remote)
      implements WorkRequest {
    public FetchAdd {
      checkAtomic(local, remote);
    }
  }

  /**
   * ATOMIC_CMP_AND_SWP: the word becomes {@code swap} if it equals {@code compare}; the old word is
   * stored in {@code local}, which is 8 bytes long.
   */
  record CompareSwap(
      long id,
      boolean signalled,
      boolean fenced,
      long compare,
      long swap,
      Local local,
      Remote remote)
      implements WorkRequest {
    public CompareSwap {
      checkAtomic(local, remote);
    }
  }

  /** Registered memory of the posting rank. */
  record Local(long address, long bytes, int key) {
    public Local {
      checkLength(bytes);
    }
  }

  /** Memory of the peer. */
  record Remote(long address, int key) {
    /** No memory. */
    public static final Remote NOWHERE = new Remote(0, 0);
  }

  private static void checkAtomic(Local local, Remote remote) {
    if (local.bytes() != Long.BYTES) {
      throw new MachineException(
          "atomic of another size: bytes=%d, needed=8; give a sink of one word"
              .formatted(local.bytes()));
    }
    if (remote.address() % Long.BYTES != 0) {
      throw new MachineException(
          "atomic not aligned: address=0x%x, alignment=8; align the peer's word"
              .formatted(remote.address()));
    }
  }

  /**
   * Refuses lengths that no request can move.
   *
   * @throws MachineException if {@code bytes} is negative or above {@link #MAX_BYTES}
   */
  static void checkLength(long bytes) {
    if (bytes < 0 || bytes > MAX_BYTES) {
      throw new MachineException(
          "length out of range: bytes=%d, min=0, max=%d; split the move"
              .formatted(bytes, MAX_BYTES));
    }
  }
}
