package dev.oriel.ibverbs.mlx5;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Accesses big-endian words of a buffer, whatever its own byte order. Methods for words that an
 * interface and another party access concurrently name their memory order; such a word must be in
 * aligned memory outside the heap.
 */
public final class BigEndian {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  public static int getInt(ByteBuffer from, int at) {
    return (int) INT.get(from, at);
  }

  public static void putInt(ByteBuffer to, int at, int value) {
    INT.set(to, at, value);
  }

  public static long getLong(ByteBuffer from, int at) {
    return (long) LONG.get(from, at);
  }

  public static void putLong(ByteBuffer to, int at, long value) {
    LONG.set(to, at, value);
  }

  public static int getIntAcquire(ByteBuffer from, int at) {
    return (int) INT.getAcquire(from, at);
  }

  public static void putIntRelease(ByteBuffer to, int at, int value) {
    INT.setRelease(to, at, value);
  }

  public static long getLongAcquire(ByteBuffer from, int at) {
    return (long) LONG.getAcquire(from, at);
  }

  public static void putLongRelease(ByteBuffer to, int at, long value) {
    LONG.setRelease(to, at, value);
  }

  /** Exchanges the word atomically, with the strongest order. */
  public static long exchangeLong(ByteBuffer at, int offset, long value) {
    return (long) LONG.getAndSet(at, offset, value);
  }
}
