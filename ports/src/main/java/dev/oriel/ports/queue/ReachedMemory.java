package dev.oriel.ports.queue;

/**
 * A rank's memory as an interface in this process reaches it. Each write is visible to everybody
 * before any later write. The caller checks offsets.
 */
public interface ReachedMemory {

  /** The address of its first byte, as used by posters and elements. */
  long address();

  /** How many bytes. */
  long size();

  /** A copy of the current bytes. */
  byte[] read(long offset, int length);

  /** Writes the bytes; an aligned word of 8 bytes is written in one piece. */
  void write(long offset, byte[] bytes);

  /**
   * Adds to a word of 8 bytes, atomically among the operations of its interface; returns the old
   * word.
   */
  long add(long offset, long addend);

  /**
   * Replaces the word if it equals {@code compare}, with the same atomicity; returns the old word.
   */
  long compareAndSwap(long offset, long compare, long swap);

  /** How an interface of hardware reaches it. */
  default MemoryBacking backing() {
    return new MemoryBacking.Copied(
        "copies alone reach this memory: address=0x%x; keep what peers reach in the host's memory"
            .formatted(address()));
  }

  /** Copies bytes of it to another's. */
  default void copyTo(long offset, ReachedMemory target, long targetOffset, int length) {
    target.write(targetOffset, read(offset, length));
  }
}
