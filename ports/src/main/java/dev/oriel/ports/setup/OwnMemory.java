package dev.oriel.ports.setup;

/** Bytes of this rank that its machine moves. */
public interface OwnMemory {

  /** The address of the first byte, as this rank's device or threads use it. */
  long address();

  /** The number of bytes. */
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

  /** The object that it was allocated from, unique to each membership of a rank. */
  Object owner();
}
