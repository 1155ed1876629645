package dev.oriel.cuda.driver;

import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.ports.UserMemory;

/**
 * The driver's calls that map memory an application allocated: in this process, or in another
 * process of this host.
 */
public interface AllocationSharing {

  /** The number of the GPU in this process. */
  int gpu();

  /**
   * The allocation that contains the first byte of that memory, and as many of the pieces after it
   * as the memory needs.
   *
   * @throws dev.oriel.ports.MachineException if no memory is there
   */
  DeviceAllocation find(UserMemory memory);

  /** Whether memory of that kind is reached by its own address in all of this process. */
  default boolean reaches(MemoryKind kind) {
    return kind != MemoryKind.MAPPED;
  }

  /** Gives this GPU access to memory on another GPU of this process, at its address. */
  void reach(int other, MemoryKind kind, long address);

  /** The data by which another process opens the allocation; the caller closes it. */
  ExportedAllocation export(DeviceAllocation allocation);

  /** Maps another process's allocation for this GPU; the files stay the caller's. */
  OpenedAllocation open(ExportedAllocation exported);
}
