package dev.oriel.ibverbs.post;

import dev.oriel.ibverbs.post.WorkRequest.Local;
import dev.oriel.ibverbs.post.WorkRequest.Remote;
import dev.oriel.ports.MachineException;
import java.util.Optional;

/**
 * Resolves one rank's requests to addresses and keys, each checked against the size that the
 * memory's owner gave.
 */
public final class AddressResolver {
  private final int rank;
  private final AddressTable book;
  private final QueueLimits limits;

  public AddressResolver(int rank, AddressTable book, QueueLimits limits) {
    this.rank = rank;
    this.book = book;
    this.limits = limits;
  }

  /**
   * The request in addresses and keys.
   *
   * @throws MachineException if memory is unknown or too small, or the queue cannot carry it
   */
  public WorkRequest resolve(QueueRequest r) {
    return switch (r.operation()) {
      case PostOperation.Write(var local, var remote) ->
          new WorkRequest.Write(
              r.number(), r.signalled(), r.fenced(), local(local), remote(remote));
      case PostOperation.Read(var local, var remote) ->
          new WorkRequest.Read(r.number(), r.signalled(), r.fenced(), local(local), remote(remote));
      case PostOperation.SetSlot(var slot, long value) -> {
        checkInline();
        yield new WorkRequest.WriteWord(
            r.number(), r.signalled(), r.fenced(), value, slot(slot.owner(), slot.offset()));
      }
      case PostOperation.AddSlot(var slot, long value) ->
          new WorkRequest.FetchAdd(
              r.number(),
              r.signalled(),
              r.fenced(),
              value,
              sink(),
              slot(slot.owner(), slot.offset()));
      case PostOperation.SetWord(var word, long value) -> {
        checkInline();
        yield new WorkRequest.WriteWord(r.number(), r.signalled(), r.fenced(), value, remote(word));
      }
      case PostOperation.AddWord(var old, var word, long value) ->
          new WorkRequest.FetchAdd(
              r.number(), r.signalled(), r.fenced(), value, answer(old), remote(word));
      case PostOperation.SwapWord(var old, var word, long expected, long value) ->
          new WorkRequest.CompareSwap(
              r.number(), r.signalled(), r.fenced(), expected, value, answer(old), remote(word));
      case PostOperation.ReadBack(int peer) ->
          new WorkRequest.Read(r.number(), r.signalled(), r.fenced(), sink(), slot(peer, 0));
    };
  }

  private Local local(BufferRange range) {
    RegisteredMemory memory = memory(range);
    return new Local(memory.address() + range.offset(), range.bytes(), memory.localKey());
  }

  private Remote remote(BufferRange range) {
    RegisteredMemory memory = memory(range);
    return new Remote(memory.address() + range.offset(), memory.remoteKey());
  }

  private RegisteredMemory memory(BufferRange range) {
    WorkRequest.checkLength(range.bytes());
    if (range.bytes() > limits.messageBytes()) {
      throw new MachineException(
          "message too long: buffer=%s, bytes=%d, max=%d; split the move"
              .formatted(range.buffer(), range.bytes(), limits.messageBytes()));
    }
    RegisteredMemory memory = book.buffer(range.rank(), range.buffer());
    checkInside(memory, range.rank(), range.buffer(), range.offset(), range.bytes());
    return memory;
  }

  private Remote slot(int owner, long offset) {
    RegisteredMemory memory = book.slots(owner);
    checkInside(memory, owner, "slots", offset, NicSlotLayout.STRIDE);
    return new Remote(aligned(memory, "slots") + offset, memory.remoteKey());
  }

  private Local answer(Optional<BufferRange> old) {
    return old.map(this::local).orElseGet(this::sink);
  }

  private Local sink() {
    RegisteredMemory memory = book.sink(rank);
    checkInside(memory, rank, "sink", 0, Long.BYTES);
    return new Local(aligned(memory, "sink"), Long.BYTES, memory.localKey());
  }

  private void checkInline() {
    if (limits.inlineBytes() < Long.BYTES) {
      throw new MachineException(
          "inline write longer than the queue allows: bytes=8, max=%d; %s"
              .formatted(
                  limits.inlineBytes(), "create the queue with max_inline_data of 8 or more"));
    }
  }

  private static long aligned(RegisteredMemory memory, String what) {
    if (memory.address() % Long.BYTES != 0) {
      throw new MachineException(
          "memory not aligned: what=%s, address=0x%x, alignment=8; align it"
              .formatted(what, memory.address()));
    }
    return memory.address();
  }

  private static void checkInside(
      RegisteredMemory memory, int rank, String what, long offset, long bytes) {
    if (!memory.holds(offset, bytes)) {
      throw new MachineException(
          "region outside its memory: rank=%d, memory=%s, offset=%d, bytes=%d, size=%d; %s"
              .formatted(
                  rank,
                  what,
                  offset,
                  bytes,
                  memory.bytes(),
                  "register what the program's binding says"));
    }
  }
}
