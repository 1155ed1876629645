package dev.oriel.ibverbs.mlx5;

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
}
