package dev.oriel.ibverbs.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.oriel.ibverbs.post.WorkRequest;
import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ports.MachineException;
import java.lang.foreign.MemorySegment;

/** Decodes a block of {@link SendRequests}, and refuses bytes that it would never write. */
public final class SendDecoder {
  private static final int KNOWN_FLAGS =
      VerbsConstants.SEND_FENCE | VerbsConstants.SEND_SIGNALED | VerbsConstants.SEND_INLINE;

  private SendDecoder() {}

  /**
   * Decodes the block; ignores the next request of a chain.
   *
   * @throws MachineException if no request has these bytes
   */
  public static WorkRequest decode(MemorySegment block) {
    long id = block.get(JAVA_LONG, SendWrLayout.WR_ID);
    int opcode = block.get(JAVA_INT, SendWrLayout.OPCODE);
    int flags = block.get(JAVA_INT, SendWrLayout.SEND_FLAGS);
    if ((flags & ~KNOWN_FLAGS) != 0) {
      throw unreadable("send_flags", flags, "use fence, signalled and inline only");
    }
    boolean inline = (flags & VerbsConstants.SEND_INLINE) != 0;
    boolean signalled = (flags & VerbsConstants.SEND_SIGNALED) != 0;
    boolean fenced = (flags & VerbsConstants.SEND_FENCE) != 0;
    if (inline && opcode != VerbsConstants.WR_RDMA_WRITE) {
      throw unreadable("send_flags", flags, "only a write may be inline");
    }
    Remote remote = remote(block, opcode);
    Local local = local(block);
    return switch (opcode) {
      case VerbsConstants.WR_RDMA_WRITE ->
          inline
              ? new WorkRequest.WriteWord(id, signalled, fenced, word(block, local), remote)
              : new WorkRequest.Write(id, signalled, fenced, local, remote);
      case VerbsConstants.WR_RDMA_WRITE_WITH_IMM ->
          new WorkRequest.WriteImmediate(
              id,
              signalled,
              fenced,
              local,
              remote,
              Integer.reverseBytes(block.get(JAVA_INT, SendWrLayout.IMM_DATA)));
      case VerbsConstants.WR_SEND -> new WorkRequest.Send(id, signalled, fenced, local);
      case VerbsConstants.WR_ATOMIC_CMP_AND_SWP ->
          new WorkRequest.CompareSwap(
              id,
              signalled,
              fenced,
              block.get(JAVA_LONG, SendWrLayout.ATOMIC_COMPARE_ADD),
              block.get(JAVA_LONG, SendWrLayout.ATOMIC_SWAP),
              local,
              remote);
      case VerbsConstants.WR_RDMA_READ ->
          new WorkRequest.Read(id, signalled, fenced, local, remote);
      case VerbsConstants.WR_ATOMIC_FETCH_AND_ADD ->
          new WorkRequest.FetchAdd(
              id,
              signalled,
              fenced,
              block.get(JAVA_LONG, SendWrLayout.ATOMIC_COMPARE_ADD),
              local,
              remote);
      default -> throw unreadable("opcode", opcode, "use a write, read, send or atomic");
    };
  }

  private static Remote remote(MemorySegment block, int opcode) {
    long key =
        opcode == VerbsConstants.WR_ATOMIC_FETCH_AND_ADD
                || opcode == VerbsConstants.WR_ATOMIC_CMP_AND_SWP
            ? SendWrLayout.ATOMIC_RKEY
            : SendWrLayout.RDMA_RKEY;
    return new Remote(
        block.get(JAVA_LONG, SendWrLayout.RDMA_REMOTE_ADDR), block.get(JAVA_INT, key));
  }

  private static Local local(MemorySegment block) {
    long entry = block.address() + SendRequests.SGE;
    if (block.get(JAVA_LONG, SendWrLayout.SG_LIST) != entry) {
      throw unreadable(
          "sg_list",
          block.get(JAVA_LONG, SendWrLayout.SG_LIST),
          "read the block where it was written");
    }
    long bytes = Integer.toUnsignedLong(block.get(JAVA_INT, SendRequests.SGE + SgeLayout.LENGTH));
    int entries = block.get(JAVA_INT, SendWrLayout.NUM_SGE);
    if (entries != (bytes == 0 ? 0 : 1)) {
      throw unreadable("num_sge", entries, "give one entry, or none for no bytes");
    }
    return new Local(
        block.get(JAVA_LONG, SendRequests.SGE + SgeLayout.ADDR),
        bytes,
        block.get(JAVA_INT, SendRequests.SGE + SgeLayout.LKEY));
  }

  private static long word(MemorySegment block, Local local) {
    if (local.bytes() != Long.BYTES) {
      throw new MachineException(
          "inline longer than a block holds: bytes=%d, max=8; carry one word"
              .formatted(local.bytes()));
    }
    if (local.address() != block.address() + SendRequests.WORD) {
      throw unreadable("addr", local.address(), "read the block where it was written");
    }
    return block.get(JAVA_LONG, SendRequests.WORD);
  }

  private static MachineException unreadable(String field, long value, String fix) {
    return new MachineException(
        "work request not readable: field=%s, value=0x%x; %s".formatted(field, value, fix));
  }
}
