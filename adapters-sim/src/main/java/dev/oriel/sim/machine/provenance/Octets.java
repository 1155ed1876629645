package dev.oriel.sim.machine.provenance;

/** Bytes that tell where they came from: the value in the low 8 bits, the origin above. */
public final class Octets {
  private Octets() {}

  /** The little-endian word at that place. */
  public static long word(long[] bytes, int at, int width) {
    long word = 0;
    for (int i = 0; i < width; i++) {
      word |= (bytes[at + i] & 0xFF) << (8 * i);
    }
    return word;
  }

  /** Writes a computed word: its bytes come from nowhere. */
  public static void putWord(long[] bytes, int at, int width, long word) {
    for (int i = 0; i < width; i++) {
      bytes[at + i] = (word >>> (8 * i)) & 0xFF;
    }
  }
}
