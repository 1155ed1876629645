package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.queue.MemoryBacking;
import dev.oriel.ports.queue.ReachedMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory of a GPU as this process reaches it while kernels run. Each access is a synchronous copy,
 * and one access follows another. An addition or compare-and-swap here is therefore atomic only
 * among accesses through this object.
 */
record ReachedGpuMemory(Gpu gpu, long address, long size) implements ReachedMemory {
  @Override
  public byte[] read(long offset, int length) {
    return gpu.read(address + offset, length);
  }

  @Override
  public void write(long offset, byte[] bytes) {
    gpu.write(address + offset, bytes);
  }

  @Override
  public long add(long offset, long addend) {
    long old = word(offset);
    set(offset, old + addend);
    return old;
  }

  @Override
  public long compareAndSwap(long offset, long compare, long swap) {
    long old = word(offset);
    if (old == compare) {
      set(offset, swap);
    }
    return old;
  }

  @Override
  public MemoryBacking backing() {
    return gpu.backing(address, size);
  }

  private long word(long offset) {
    return ByteBuffer.wrap(read(offset, Long.BYTES)).order(ByteOrder.nativeOrder()).getLong();
  }

  private void set(long offset, long word) {
    byte[] bytes = new byte[Long.BYTES];
    ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(word);
    write(offset, bytes);
  }
}
