package dev.oriel.ibverbs.nic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Some bytes of a region that an element was admitted to. A word that is written at its own
 * alignment is written in one piece; nothing else is.
 */
record Span(Region region, long offset, int bytes) {

  boolean aligned() {
    return (region.address() + offset) % Long.BYTES == 0;
  }

  byte[] read() {
    requireLive();
    return region.memory().read(offset, bytes);
  }

  void write(byte[] data) {
    requireLive();
    region.memory().write(offset, data);
  }

  /** Copies at once, for queues that do one thing after another. */
  void copyTo(Span target) {
    requireLive();
    target.requireLive();
    region.memory().copyTo(offset, target.region.memory(), target.offset, bytes);
  }

  /** Adds in one step; the old word. */
  long add(long addend) {
    requireLive();
    return region.memory().add(offset, addend);
  }

  /** Replaces in one step where the word is the one compared; the old word. */
  long compareAndSwap(long compare, long swap) {
    requireLive();
    return region.memory().compareAndSwap(offset, compare, swap);
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
