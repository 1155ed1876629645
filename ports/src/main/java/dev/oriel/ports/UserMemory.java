package dev.oriel.ports;

/**
 * Bytes that the application allocated, by their address in this process: memory of a GPU, for
 * example from {@code cuMemAlloc}, or memory of the host. They stay the application's, which frees
 * them once no buffer uses them any more.
 *
 * @param address of the first byte, anywhere in an allocation
 */
public record UserMemory(long address, long bytes) {
  public UserMemory {
    if (address <= 0 || bytes < 1 || bytes > Long.MAX_VALUE - address) {
      throw new IllegalArgumentException(
          "no memory: address=%d, bytes=%d; give an address and at least one byte"
              .formatted(address, bytes));
    }
  }
}
