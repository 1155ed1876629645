package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.LocalBuffer;

/** Registered memory of one rank that no peer was told of. */
final class VerbsBuffer implements LocalBuffer, Registered {
  private final VerbsMemory memory;
  private final Runnable onClose;
  private boolean closed;

  VerbsBuffer(VerbsMemory memory, Runnable onClose) {
    this.memory = memory;
    this.onClose = onClose;
  }

  @Override
  public VerbsMemory memory() {
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
      memory.close();
    }
  }
}
