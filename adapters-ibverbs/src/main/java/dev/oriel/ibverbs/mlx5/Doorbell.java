package dev.oriel.ibverbs.mlx5;

/**
 * The word that notifies an interface of new elements: the first 8 bytes of a control segment. The
 * interface reads index and queue pair of it.
 *
 * @param index the count of elements posted, low 16 bits
 * @param queuePair 24 bits, never 0
 */
public record Doorbell(int index, int queuePair) {
  /** The value of a register that was not rung. */
  public static final long IDLE = 0;

  public Doorbell {
    DecodingErrors.requireBits("index", index, 16);
    DecodingErrors.requireBits("queuePair", queuePair, 24);
  }

  /** The word, as a big-endian number. */
  public long word() {
    return (long) index << 40 | (long) queuePair << 8;
  }

  /** Decodes any word. */
  public static Doorbell of(long word) {
    return new Doorbell((int) (word >>> 40) & 0xffff, (int) (word >>> 8) & 0xff_ffff);
  }
}
