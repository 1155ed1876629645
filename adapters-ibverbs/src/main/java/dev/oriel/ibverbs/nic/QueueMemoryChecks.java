package dev.oriel.ibverbs.nic;

import dev.oriel.ports.MachineException;
import java.nio.ByteBuffer;

/** Checks memory of queues that others write to or read from. */
final class QueueMemoryChecks {
  private QueueMemoryChecks() {}

  static void require(String what, ByteBuffer memory, int unit) {
    if (!memory.isDirect()
        || memory.isReadOnly()
        || memory.capacity() < unit
        || memory.capacity() % unit != 0
        || memory.alignmentOffset(0, Long.BYTES) != 0) {
      throw new MachineException(
          "memory of a queue not usable: what=%s, bytes=%d, unit=%d, direct=%b, readOnly=%b; give writable memory outside the heap, aligned to 8 bytes, in whole units"
              .formatted(what, memory.capacity(), unit, memory.isDirect(), memory.isReadOnly()));
    }
  }
}
