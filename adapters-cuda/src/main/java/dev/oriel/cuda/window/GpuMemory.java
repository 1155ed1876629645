package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.AllocationSharing;
import dev.oriel.cuda.driver.DeviceAllocation;
import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.setup.OwnMemory;
import dev.oriel.ports.setup.SpanChecks;

/**
 * A run of bytes as this rank's GPU reaches it, its own or a peer's.
 *
 * @param device the GPU that reaches it
 * @param address where it is mapped
 */
record GpuMemory(DeviceMemory device, long address, long bytes) implements OwnMemory {

  /**
   * Memory that an application allocated.
   *
   * @throws dev.oriel.ports.MachineException if it is not one piece of memory of that GPU
   */
  static GpuMemory of(DeviceMemory device, UserMemory memory) {
    AllocationSharing sharing = device.sharing();
    DeviceAllocation ignored = sharing.find(memory).holding(memory, sharing.gpu());
    return new GpuMemory(device, memory.address(), memory.bytes());
  }

  /** The address of {@code length} bytes from {@code offset} on, after a bounds check. */
  long address(String whose, long offset, long length) {
    SpanChecks.check(whose, offset, length, bytes);
    return address + offset;
  }

  @Override
  public void write(long offset, byte[] from) {
    device.write(address("own", offset, from.length), from);
  }

  @Override
  public byte[] read(long offset, int length) {
    return device.read(address("own", offset, length), length);
  }

  /** This membership's GPU; every open GPU is an object of its own. */
  @Override
  public DeviceMemory owner() {
    return device;
  }
}
