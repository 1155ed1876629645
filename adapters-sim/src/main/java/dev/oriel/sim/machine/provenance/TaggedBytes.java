package dev.oriel.sim.machine.provenance;

/**
 * Bytes with their origin: the value in the low 8 bits, the origin in the high bits, and one bit
 * between them. That bit is set once a byte passed through a register, or was made from such a
 * byte. With the bit and no origin, the byte was computed. With neither, it was never written.
 */
public final class TaggedBytes {
  /** The byte passed through a register, a slot or the like. */
  public static final long CARRIED = 1L << Byte.SIZE;

  private static final long COMPUTED = 1;

  /** The bits of a byte's origin. */
  public static final long ORIGIN = -1L << (Byte.SIZE + 1);

  private TaggedBytes() {}

  /** The little-endian word at that place. */
  public static long word(long[] bytes, int at, int width) {
    long word = 0;
    for (int i = 0; i < width; i++) {
      word |= (bytes[at + i] & 0xFF) << (8 * i);
    }
    return word;
  }

  /** Whether the byte was computed, so that only its value is known. */
  public static boolean computed(long octet) {
    return (octet & ~0xFFL) == CARRIED;
  }

  /** Adds a byte's marks to those of earlier bytes, for a result that depends on them all. */
  static long marks(long before, long octet) {
    return before | (octet & CARRIED) | (computed(octet) ? COMPUTED : 0);
  }

  /**
   * The upper bits of a byte with that origin, made from bytes with those marks. If one of them was
   * computed, so is the result.
   */
  static long made(long origin, long marks) {
    return (marks & COMPUTED) != 0 ? CARRIED : (origin & ORIGIN) | (marks & CARRIED);
  }

  /** Whether the byte was never written. */
  public static boolean unwritten(long octet) {
    return (octet & ~0xFFL) == 0;
  }

  /** Whether both have the same origin and value, whether or not a register carried them. */
  public static boolean same(long one, long other) {
    return ((one ^ other) & ~CARRIED) == 0;
  }

  /** Writes a constant word: its bytes have no origin and count as unwritten. */
  public static void putWord(long[] bytes, int at, int width, long word) {
    for (int i = 0; i < width; i++) {
      bytes[at + i] = (word >>> (8 * i)) & 0xFF;
    }
  }
}
