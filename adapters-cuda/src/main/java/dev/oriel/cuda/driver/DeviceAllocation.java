package dev.oriel.cuda.driver;

import dev.oriel.ports.MachineException;

/**
 * The allocation that contains an address, as the driver describes it.
 *
 * @param gpu the number of its GPU in this process
 * @param id identifies the allocation in this process; ids are never reused
 * @param lendable whether peers and other processes can map it: it was made by {@code cuMemAlloc}
 */
public record DeviceAllocation(int gpu, long base, long bytes, long id, boolean lendable) {

  /**
   * Checks that the allocation contains all of that memory, on that GPU; returns the allocation.
   *
   * @throws MachineException saying why it does not serve
   */
  public DeviceAllocation holding(UserMemory memory, int expected) {
    if (gpu != expected) {
      throw new MachineException(
          "memory of another GPU: address=%d, its gpu=%d, gpu=%d; allocate it on the GPU of the rank"
              .formatted(memory.address(), gpu, expected));
    }
    long offset = memory.address() - base;
    if (offset < 0 || memory.bytes() > bytes - offset) {
      throw new MachineException(
          "memory leaves its allocation: address=%d, bytes=%d, allocation=%d, its bytes=%d; give bytes of one allocation (PyTorch: without expandable_segments)"
              .formatted(memory.address(), memory.bytes(), base, bytes));
    }
    return this;
  }

  /**
   * Checks that peers can map the allocation; returns the allocation.
   *
   * @throws MachineException if it was made in another way
   */
  public DeviceAllocation lendable(UserMemory memory) {
    if (!lendable) {
      throw new MachineException(
          "memory cannot be lent to peers: address=%d, bytes=%d; it was mapped by hand or comes from a pool: allocate it with cuMemAlloc (PyTorch: without expandable_segments and cudaMallocAsync)"
              .formatted(memory.address(), memory.bytes()));
    }
    return this;
  }
}
