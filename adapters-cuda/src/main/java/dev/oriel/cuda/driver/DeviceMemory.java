package dev.oriel.cuda.driver;

import java.util.UUID;

/** Memory of a device, as this process makes, maps and reaches it. Every copy is synchronous. */
public interface DeviceMemory extends SharedMemory.Maker<SharedMemory>, AutoCloseable {

  /** Identifies the device; the same in every process, whatever number each gives it. */
  UUID uuid();

  /** Allocates zeroed memory for this process alone. */
  long allocate(long bytes);

  /** Frees memory that {@link #allocate} gave. */
  void free(long address);

  /** Writes to memory that is mapped here, a peer's included. */
  void write(long address, byte[] bytes);

  /** Reads memory that is mapped here. */
  byte[] read(long address, int length);

  /** Copies between memory that is mapped here. */
  void copy(long to, long from, long bytes);

  /** This device's access to memory that applications allocated. */
  AllocationSharing sharing();

  /** A word, 0 at first, that the host sets for kernels of this device. */
  DeviceFlag flag();

  /** Closes the device; memory and mappings made with it must be closed before. */
  @Override
  void close();
}
