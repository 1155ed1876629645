package dev.oriel.cuda.driver;

/**
 * Bytes on a GPU that the application allocated, for example with {@code cuMemAlloc}. They stay its
 * own: it frees them once nothing uses them any more.
 *
 * @param address of the first byte, anywhere in an allocation
 */
public record UserMemory(long address, long bytes) {
  public UserMemory {
    if (address <= 0 || bytes < 1 || bytes > Long.MAX_VALUE - address) {
      throw new IllegalArgumentException(
          "no memory of a GPU: address=%d, bytes=%d; give a device address and at least one byte"
              .formatted(address, bytes));
    }
  }
}
