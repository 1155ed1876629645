package dev.oriel.sim.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian words in byte arrays. */
public final class LittleEndianWords {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private LittleEndianWords() {}

  public static long get(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  public static void put(byte[] bytes, int offset, long value) {
    LONG.set(bytes, offset, value);
  }
}
