package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.setup.Spans;

/** A run of bytes of one rank on its GPU. */
final class GpuMemory implements AutoCloseable {
  private final Gpu gpu;
  private final long address;
  private final long bytes;
  private boolean closed;

  /** Zeroed; 0 bytes are allowed. */
  GpuMemory(Gpu gpu, long bytes) {
    this.gpu = gpu;
    this.bytes = bytes;
    address = gpu.allocate(Math.max(1, bytes));
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
      gpu.free(address);
    }
  }
}
