package dev.oriel.ports.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory of this process, accessed directly and with the ordering that interfaces give. */
public final class DirectMemory implements ReachedMemory {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final long address;
  private final ByteBuffer bytes;

  /**
   * @param bytes direct, aligned to 8 bytes like the address
   */
  public DirectMemory(long address, ByteBuffer bytes) {
    this.address = address;
    this.bytes = bytes.duplicate();
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long size() {
    return bytes.capacity();
  }

  @Override
  public MemoryBacking backing() {
    return new MemoryBacking.Host(bytes);
  }

  @Override
  public byte[] read(long offset, int length) {
    byte[] copy = new byte[length];
    // Pairs with the release of the thread that wrote the bytes and then announced them to this
    // one.
    VarHandle.acquireFence();
    bytes.get((int) offset, copy);
    return copy;
  }

  @Override
  public void write(long offset, byte[] data) {
    // A thread that reads a byte of this write also sees all writes placed before it.
    VarHandle.releaseFence();
    if (data.length == Long.BYTES && (address + offset) % Long.BYTES == 0) {
      long word = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder()).getLong();
      WORD.setRelease(bytes, (int) offset, word);
    } else {
      bytes.put((int) offset, data);
    }
  }

  @Override
  public long add(long offset, long addend) {
    return (long) WORD.getAndAdd(bytes, (int) offset, addend);
  }

  @Override
  public long compareAndSwap(long offset, long compare, long swap) {
    return (long) WORD.compareAndExchange(bytes, (int) offset, compare, swap);
  }

  @Override
  public void copyTo(long offset, ReachedMemory target, long targetOffset, int length) {
    if (length != Long.BYTES && target instanceof DirectMemory direct) {
      VarHandle.fullFence();
      direct.bytes.put((int) targetOffset, bytes, (int) offset, length);
    } else {
      ReachedMemory.super.copyTo(offset, target, targetOffset, length);
    }
  }
}
