package dev.oriel.ibverbs.mlx5;

import java.nio.ByteBuffer;

/**
 * The word that tells an interface of new elements: the first 8 bytes of a control segment, of
 * which index and queue pair are looked at.
 *
 * @param index the count of elements posted, low 16 bits
 * @param queuePair 24 bits, never 0
 */
public record Doorbell(int index, int queuePair) {
  /** What a register holds that nobody has rung. */
  public static final long IDLE = 0;

  public Doorbell {
    Unreadable.requireBits("index", index, 16);
    Unreadable.requireBits("queuePair", queuePair, 24);
  }

  /** The word, as a big-endian number. */
  public long word() {
    return (long) index << 40 | (long) queuePair << 8;
  }

  /** What any word says. */
  public static Doorbell of(long word) {
    return new Doorbell((int) (word >>> 40) & 0xffff, (int) (word >>> 8) & 0xff_ffff);
  }

  /** The 8 words of the element's block, which BlueFlame writes into the register in this order. */
  public static long[] blueFlame(ByteBuffer block, int at) {
    long[] words = new long[Element.BLOCK / Long.BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = BigEndian.getLong(block, at + i * Long.BYTES);
    }
    return words;
  }
}
