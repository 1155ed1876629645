package dev.oriel.cuda.driver;

/** A word that the host sets, and that kernels of a device read while they run. */
public interface DeviceFlag extends AutoCloseable {
  /** The address of the word for kernels. */
  long address();

  /** Sets the word, from any thread; kernels see it soon after. Does nothing after close. */
  void set(long value);

  @Override
  void close();
}
