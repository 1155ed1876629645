package dev.oriel.ports.queue;

import java.nio.ByteBuffer;

/**
 * Memory of queues, which posters, interfaces and this process reach.
 *
 * @param bytes as this process reaches it: direct, aligned like the address
 * @param address of its first byte as posters and elements name it
 */
public record SharedMemory(ByteBuffer bytes, long address) {
  /** Some of it. */
  public SharedMemory slice(int offset, int length) {
    return new SharedMemory(bytes.slice(offset, length), address + offset);
  }
}
