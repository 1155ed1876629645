package dev.oriel.ibverbs.nic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes of a region to which an element was admitted. A word that is written at its own alignment
 * is written in one piece; other accesses are not.
 */
record RegionSpan(RegisteredRegion region, long offset, int bytes) {

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

  /** Copies directly, for queues that execute one element after another. */
  void copyTo(RegionSpan target) {
    requireLive();
    target.requireLive();
    region.memory().copyTo(offset, target.region.memory(), target.offset, bytes);
  }

  /** Adds atomically; returns the old word. */
  long add(long addend) {
    requireLive();
    return region.memory().add(offset, addend);
  }

  /** Compares and swaps atomically; returns the old word. */
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
