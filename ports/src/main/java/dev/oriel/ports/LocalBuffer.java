package dev.oriel.ports;

/**
 * Memory of this rank from which its windows can put and into which they can get. A {@link Window}
 * is one itself: its own part. Used by the thread of its communicator.
 */
public interface LocalBuffer extends AutoCloseable {

  /** How many bytes. */
  long bytes();

  /**
   * Writes bytes. Order: happens before every later put, signal and barrier of this rank.
   *
   * @throws IndexOutOfBoundsException if they leave the buffer, before any is written
   */
  void write(long offset, byte[] bytes);

  /**
   * Reads bytes. Sees own writes and own flushed gets; in a window also peers' puts that precede a
   * signal or barrier which this rank has awaited.
   *
   * @return a fresh array
   * @throws IndexOutOfBoundsException if they leave the buffer
   */
  byte[] read(long offset, int length);

  /**
   * Gives the memory back; closing twice does nothing. Transfers from or into it must have been
   * flushed.
   */
  @Override
  void close();
}
