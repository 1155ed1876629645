package dev.oriel.ports.queue;

import java.nio.ByteBuffer;

/**
 * Memory of queues that posters, interfaces and this process share.
 *
 * @param bytes its direct buffer in this process, aligned like the address
 * @param address of its first byte, as used by posters and elements
 */
public record SharedQueueMemory(ByteBuffer bytes, long address) {
  /** A part of it. */
  public SharedQueueMemory slice(int offset, int length) {
    return new SharedQueueMemory(bytes.slice(offset, length), address + offset);
  }
}
