package dev.oriel.cuda.driver;

import java.util.UUID;

/**
 * Memory of a device, as this process makes, maps and reaches it. Each copy has ended when its call
 * returns.
 */
public interface DeviceMemory extends SharedMemory.Maker<SharedMemory>, AutoCloseable {

  /** Which device it is, whatever number a process gives it. */
  UUID uuid();

  /** Allocates zeroed memory for this process alone. */
  long allocate(long bytes);

  /** Gives back what was allocated. */
  void free(long address);

  /** Writes to memory that is mapped here, a peer's included. */
  void write(long address, byte[] bytes);

  /** Reads memory that is mapped here. */
  byte[] read(long address, int length);

  /** Copies between memory that is mapped here. */
  void copy(long to, long from, long bytes);

  /** Gives the device back; what was made there must be closed before. */
  @Override
  void close();
}
