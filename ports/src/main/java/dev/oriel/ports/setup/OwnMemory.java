package dev.oriel.ports.setup;

/** Bytes of this rank, which its machine moves. */
public interface OwnMemory {

  /** How many. */
  long bytes();

  /**
   * Writes bytes.
   *
   * @throws IndexOutOfBoundsException if they leave the memory, before any is written
   */
  void write(long offset, byte[] bytes);

  /**
   * Reads bytes.
   *
   * @return a fresh array
   * @throws IndexOutOfBoundsException if they leave the memory
   */
  byte[] read(long offset, int length);

  /** What it was allocated from: one object for each membership of a rank, and no other's. */
  Object owner();
}
