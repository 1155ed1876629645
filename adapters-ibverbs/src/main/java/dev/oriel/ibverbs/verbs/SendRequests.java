package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ports.MachineException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Encodes send work requests.
 *
 * <pre>
 *   block:  0 struct ibv_send_wr | 128 struct ibv_sge | 144 the inline word | 152 unused
 * </pre>
 *
 * <p>A block points to its own gather entry and inline word: it must be posted from the address at
 * which it was written.
 */
final class SendRequests {
  /** Bytes from one block to the next. */
  static final long STRIDE = 160;

  static final long SGE = SendWrLayout.SIZE;
  static final long WORD = SGE + SgeLayout.SIZE;

  private final MemorySegment blocks;
  private final int capacity;

  /** Blocks in the 8-byte aligned segment, as many as fit. */
  SendRequests(MemorySegment blocks) {
    if (blocks.maxByteAlignment() < Long.BYTES) {
      throw new MachineException(
          "memory not aligned: what=work requests, alignment=%d, needed=8; align it"
              .formatted(blocks.maxByteAlignment()));
    }
    this.blocks = blocks;
    this.capacity = Math.toIntExact(blocks.byteSize() / STRIDE);
  }

  /** Memory for that many requests, which lives as long as the arena. */
  static SendRequests allocate(Arena arena, int capacity) {
    return new SendRequests(arena.allocate(STRIDE * capacity, Long.BYTES));
  }

  /** The memory of the request, as {@code ibv_post_send} takes it. */
  MemorySegment block(int index) {
    return blocks.asSlice(at(index), STRIDE);
  }

  /** Writes every byte of the request. */
  void put(int index, WorkRequest request) {
    long at = at(index);
    blocks.asSlice(at, STRIDE).fill((byte) 0);
    setLong(at + SendWrLayout.WR_ID, request.id());
    setLong(at + SendWrLayout.SG_LIST, blocks.address() + at + SGE);
    int flags =
        (request.fenced() ? VerbsConstants.SEND_FENCE : 0)
            | (request.signalled() ? VerbsConstants.SEND_SIGNALED : 0);
    switch (request) {
      case WorkRequest.Write w -> {
        head(at, VerbsConstants.WR_RDMA_WRITE, flags);
        gather(at, w.local());
      }
      case WorkRequest.Read r -> {
        head(at, VerbsConstants.WR_RDMA_READ, flags);
        gather(at, r.local());
      }
      case WorkRequest.WriteWord w -> {
        head(at, VerbsConstants.WR_RDMA_WRITE, flags | VerbsConstants.SEND_INLINE);
        gather(at, new Local(blocks.address() + at + WORD, Long.BYTES, 0));
        setLong(at + WORD, w.value());
      }
      case WorkRequest.WriteImmediate w -> {
        head(at, VerbsConstants.WR_RDMA_WRITE_WITH_IMM, flags);
        gather(at, w.local());
        setInt(at + SendWrLayout.IMM_DATA, Integer.reverseBytes(w.immediate()));
      }
      case WorkRequest.Send s -> {
        head(at, VerbsConstants.WR_SEND, flags);
        gather(at, s.local());
      }
      case WorkRequest.FetchAdd f -> {
        head(at, VerbsConstants.WR_ATOMIC_FETCH_AND_ADD, flags);
        gather(at, f.local());
        setLong(at + SendWrLayout.ATOMIC_COMPARE_ADD, f.addend());
      }
      case WorkRequest.CompareSwap c -> {
        head(at, VerbsConstants.WR_ATOMIC_CMP_AND_SWP, flags);
        gather(at, c.local());
        setLong(at + SendWrLayout.ATOMIC_COMPARE_ADD, c.compare());
        setLong(at + SendWrLayout.ATOMIC_SWAP, c.swap());
      }
    }
    setLong(at + SendWrLayout.RDMA_REMOTE_ADDR, request.remote().address());
    setInt(at + remoteKeyOffset(at), request.remote().key());
  }

  private void head(long at, int opcode, int flags) {
    setInt(at + SendWrLayout.OPCODE, opcode);
    setInt(at + SendWrLayout.SEND_FLAGS, flags);
  }

  private void gather(long at, Local local) {
    setLong(at + SGE + SgeLayout.ADDR, local.address());
    setInt(at + SGE + SgeLayout.LKEY, local.key());
    setInt(at + SGE + SgeLayout.LENGTH, (int) local.bytes());
    // No gather entry for no bytes.
    setInt(at + SendWrLayout.NUM_SGE, local.bytes() == 0 ? 0 : 1);
  }

  private long at(int index) {
    if (index < 0 || index >= capacity) {
      throw new MachineException(
          "request out of range: index=%d, capacity=%d; allocate more".formatted(index, capacity));
    }
    return index * STRIDE;
  }

  private boolean atomic(long at) {
    int opcode = blocks.get(JAVA_INT, at + SendWrLayout.OPCODE);
    return opcode == VerbsConstants.WR_ATOMIC_FETCH_AND_ADD
        || opcode == VerbsConstants.WR_ATOMIC_CMP_AND_SWP;
  }

  private long remoteKeyOffset(long at) {
    return atomic(at) ? SendWrLayout.ATOMIC_RKEY : SendWrLayout.RDMA_RKEY;
  }

  private void setLong(long offset, long value) {
    blocks.set(JAVA_LONG, offset, value);
  }

  private void setInt(long offset, int value) {
    blocks.set(JAVA_INT, offset, value);
  }
}
