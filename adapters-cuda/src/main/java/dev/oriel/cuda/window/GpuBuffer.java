package dev.oriel.cuda.window;

import dev.oriel.ports.LocalBuffer;

/** Memory of one rank that no peer was told of. */
final class GpuBuffer implements LocalBuffer, Located {
  private final GpuMemory memory;
  private final Runnable onClose;
  private boolean closed;

  /**
   * @param onClose gives back what the buffer holds
   */
  GpuBuffer(GpuMemory memory, Runnable onClose) {
    this.memory = memory;
    this.onClose = onClose;
  }

  @Override
  public GpuMemory memory() {
    return memory;
  }

  @Override
  public long bytes() {
    return memory.bytes();
  }

  @Override
  public void write(long offset, byte[] bytes) {
    memory.write(offset, bytes);
  }

  @Override
  public byte[] read(long offset, int length) {
    return memory.read(offset, length);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }
}
