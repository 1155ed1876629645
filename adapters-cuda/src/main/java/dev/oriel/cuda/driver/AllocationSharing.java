package dev.oriel.cuda.driver;

/**
 * The driver's calls that map memory an application allocated: in this process, or in another
 * process of this host.
 */
public interface AllocationSharing {

  /** The number of the GPU in this process. */
  int gpu();

  /** The allocation that contains an address. */
  DeviceAllocation find(long address);

  /** Gives this GPU access to allocations on another GPU of this process. */
  void reach(int other);

  /** A handle by which another process opens the allocation; it need not be freed. */
  byte[] lend(DeviceAllocation allocation);

  /** Maps another process's allocation for this GPU as a whole, with peer access. */
  long open(byte[] handle);

  /** Unmaps an allocation that {@code open} mapped. */
  void close(long base);
}
