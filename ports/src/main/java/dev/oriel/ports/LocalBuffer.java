package dev.oriel.ports;

/**
 * Memory of this rank that its windows can put from and get into; a {@link Window} is one itself:
 * its own part. Used by the thread of its communicator.
 */
public interface LocalBuffer extends AutoCloseable {

  /** How many bytes. */
  long bytes();

  /**
   * Writes bytes. Order: before every later put, signal and barrier of this rank.
   *
   * @throws IndexOutOfBoundsException if they leave the buffer, before any is written
   */
  void write(long offset, byte[] bytes);

  /**
   * Reads bytes: sees own writes, and own gets that were flushed; in a window also what peers put
   * before a signal or barrier that this rank has awaited.
   *
   * @return a fresh array
   * @throws IndexOutOfBoundsException if they leave the buffer
   */
  byte[] read(long offset, int length);

  /**
   * Gives the memory back; closing twice does nothing. What is under way from or into it must have
   * been flushed.
   */
  @Override
  void close();
}
