package dev.oriel.ibverbs.mlx5;

import dev.oriel.ports.MachineException;

/**
 * Places of a queue, as functions of counts that go on for ever. Interfaces keep the low bits of
 * counts alone: what they say is read as the least count, from one that is known on, that has these
 * bits. That is right as long as less than a whole round of those bits lies between, for which
 * queues have at most half of it.
 *
 * @param slots a power of two
 */
public record Ring(int slots) {
  /** The longest queue: half of what an index of 16 bits can tell apart. */
  public static final int MAX = 1 << 15;

  private static final int INDEX_BITS = 16;
  private static final int CONSUMER_BITS = 24;

  public Ring {
    if (slots < 1 || slots > MAX || Integer.bitCount(slots) != 1) {
      throw new MachineException(
          "length of a queue out of range: slots=%d, min=1, max=%d; use a power of two"
              .formatted(slots, MAX));
    }
  }

  /** Where the element of that count stands. */
  public int slot(long count) {
    return (int) (count & slots - 1);
  }

  /** The owner bit of that completion: it changes with every round. */
  public int owner(long count) {
    return (int) (count >>> Integer.numberOfTrailingZeros(slots)) & 1;
  }

  /** Whether an element of that count may be written: the one before it in its slot is done. */
  public boolean hasRoom(long count, long completed) {
    return count - completed < slots;
  }

  /** The index that elements, records and doorbells hold. */
  public static int index(long count) {
    return (int) count & 0xffff;
  }

  /** The least count from {@code known} on that has this index. */
  public static long countFrom(long known, int index) {
    return extend(known, index, INDEX_BITS);
  }

  /** The least count from {@code known} on that has these 24 bits. */
  public static long consumedFrom(long known, int consumed) {
    return extend(known, consumed, CONSUMER_BITS);
  }

  /**
   * How many elements of a queue are done when a completion tells of the index of the last one.
   *
   * @param known how many were done before
   */
  public static long completedFrom(long known, int index) {
    return countFrom(known, index + 1);
  }

  private static long extend(long known, long low, int bits) {
    return known + (low - known & (1L << bits) - 1);
  }
}
