package dev.oriel.sim.machine.provenance;

/**
 * Bytes that tell where they came from: the value in the low 8 bits, the origin above, and one bit
 * in between. It is set once a byte passed through a register, or was made of one that did: without
 * an origin such a byte was computed. Without either, nobody wrote it.
 */
public final class Octets {
  /** The byte passed through a register, a slot or the like. */
  public static final long CARRIED = 1L << Byte.SIZE;

  private static final long COMPUTED = 1;

  /** The bits that say where a byte came from. */
  public static final long ORIGIN = -1L << (Byte.SIZE + 1);

  private Octets() {}

  /** The little-endian word at that place. */
  public static long word(long[] bytes, int at, int width) {
    long word = 0;
    for (int i = 0; i < width; i++) {
      word |= (bytes[at + i] & 0xFF) << (8 * i);
    }
    return word;
  }

  /** Whether the byte was computed, so that its value is all that is known of it. */
  public static boolean computed(long octet) {
    return (octet & ~0xFFL) == CARRIED;
  }

  /** What a byte says of all that is made of it, besides what the bytes before it said. */
  static long marks(long before, long octet) {
    return before | (octet & CARRIED) | (computed(octet) ? COMPUTED : 0);
  }

  /**
   * The upper bits of a byte that was made so of bytes that say that: of a computed one, computed.
   */
  static long made(long origin, long marks) {
    return (marks & COMPUTED) != 0 ? CARRIED : (origin & ORIGIN) | (marks & CARRIED);
  }

  /** Whether nobody wrote the byte. */
  public static boolean unwritten(long octet) {
    return (octet & ~0xFFL) == 0;
  }

  /** Whether both have one origin and one value, however they came to where they are. */
  public static boolean same(long one, long other) {
    return ((one ^ other) & ~CARRIED) == 0;
  }

  /** Writes a word that nobody computed: its bytes come from nowhere. */
  public static void putWord(long[] bytes, int at, int width, long word) {
    for (int i = 0; i < width; i++) {
      bytes[at + i] = (word >>> (8 * i)) & 0xFF;
    }
  }
}
