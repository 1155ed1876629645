package dev.oriel.ibverbs.nic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Some bytes of a region that an element was admitted to. A word that is written at its own
 * alignment is written in one piece; nothing else is.
 */
record Span(Region region, int offset, int bytes) {
  private static final VarHandle WORD =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  boolean aligned() {
    return (region.address() + offset) % Long.BYTES == 0;
  }

  byte[] read() {
    requireLive();
    byte[] copy = new byte[bytes];
    // Pairs with the release of who wrote the bytes and then announced them to this thread.
    VarHandle.acquireFence();
    region.memory().get(offset, copy);
    return copy;
  }

  void write(byte[] data) {
    requireLive();
    ByteBuffer memory = region.memory();
    // Whoever finds a byte of this write finds all of the writes that were placed before it.
    VarHandle.releaseFence();
    if (data.length == Long.BYTES && aligned()) {
      long word = ByteBuffer.wrap(data).order(ByteOrder.nativeOrder()).getLong();
      WORD.setRelease(memory, offset, word);
    } else {
      memory.put(offset, data);
    }
  }

  /** Copies at once, for queues that do one thing after another. */
  void copyTo(Span target) {
    requireLive();
    target.requireLive();
    if (bytes == Long.BYTES) {
      target.write(read());
      return;
    }
    VarHandle.fullFence();
    target.region.memory().put(target.offset, region.memory(), offset, bytes);
  }

  /** Adds in one step; the old word. */
  long add(long addend) {
    requireLive();
    return (long) WORD.getAndAdd(region.memory(), offset, addend);
  }

  /** Replaces in one step where the word is the one compared; the old word. */
  long compareAndSwap(long compare, long swap) {
    requireLive();
    return (long) WORD.compareAndExchange(region.memory(), offset, compare, swap);
  }

  static byte[] bytesOf(long word) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(word).array();
  }

  private void requireLive() {
    if (!region.live()) {
      throw new IllegalStateException("memory was given back: key=0x%x".formatted(region.key()));
    }
  }
}
