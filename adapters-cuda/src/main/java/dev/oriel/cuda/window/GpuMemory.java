package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Allocation;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Lending;
import dev.oriel.cuda.driver.UserMemory;
import dev.oriel.ports.setup.Spans;

/** A run of bytes of one rank on its GPU. */
final class GpuMemory implements AutoCloseable {
  private final Gpu gpu;
  private final long address;
  private final long bytes;

  /** Whether somebody else frees it. */
  private final boolean lent;

  private boolean closed;

  private GpuMemory(Gpu gpu, long address, long bytes, boolean lent) {
    this.gpu = gpu;
    this.address = address;
    this.bytes = bytes;
    this.lent = lent;
  }

  /** Zeroed; 0 bytes are allowed. */
  GpuMemory(Gpu gpu, long bytes) {
    this(gpu, gpu.allocate(Math.max(1, bytes)), bytes, false);
  }

  /**
   * What an app allocated, which stays its own.
   *
   * @throws dev.oriel.ports.MachineException if it is not one piece of memory of that GPU
   */
  static GpuMemory of(Gpu gpu, UserMemory memory) {
    Lending lending = gpu.lending();
    Allocation ignored = lending.find(memory.address()).holding(memory, lending.gpu());
    return new GpuMemory(gpu, memory.address(), memory.bytes(), true);
  }

  Gpu gpu() {
    return gpu;
  }

  long bytes() {
    return bytes;
  }

  /** Where {@code length} bytes from {@code offset} are mapped on every GPU of the process. */
  long address(String whose, long offset, long length) {
    Spans.check(whose, offset, length, bytes);
    return address + offset;
  }

  void write(long offset, byte[] from) {
    gpu.write(address("own", offset, from.length), from);
  }

  byte[] read(long offset, int length) {
    return gpu.read(address("own", offset, length), length);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      if (!lent) {
        gpu.free(address);
      }
    }
  }
}
