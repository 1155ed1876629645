package dev.oriel.ibverbs.post;

import dev.oriel.ports.MachineException;

/**
 * Registered memory as its owner described it to every rank.
 *
 * @param localKey the key for requests of the owner's own interface
 * @param remoteKey the key for requests of other ranks' interfaces
 */
public record RegisteredMemory(long address, long bytes, int localKey, int remoteKey) {
  public RegisteredMemory {
    if (bytes < 0 || Long.compareUnsigned(address + bytes, address) < 0) {
      throw new MachineException(
          "memory wraps around: address=0x%x, bytes=%d; give its real address and size"
              .formatted(address, bytes));
    }
  }

  /** Whether {@code length} bytes from {@code offset} on are inside. */
  boolean holds(long offset, long length) {
    return offset >= 0 && length >= 0 && offset <= bytes - length;
  }
}
