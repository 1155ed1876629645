package dev.oriel.ibverbs.mlx5;

import dev.oriel.ports.MachineException;

/**
 * The places of a queue, as functions of counts that never wrap. Interfaces keep only the low bits
 * of counts. Such bits are decoded as the least count with these bits that is at least a known
 * count. That is right while the two differ by less than one round of the bits; queues have at most
 * half a round.
 *
 * @param slots a power of two
 */
public record QueueRing(int slots) {
  /** The longest queue: half of the range of a 16-bit index. */
  public static final int MAX = 1 << 15;

  private static final int INDEX_BITS = 16;
  private static final int CONSUMER_BITS = 24;

  public QueueRing {
    if (slots < 1 || slots > MAX || Integer.bitCount(slots) != 1) {
      throw new MachineException(
          "length of a queue out of range: slots=%d, min=1, max=%d; use a power of two"
              .formatted(slots, MAX));
    }
  }

  /** The slot of the element of that count. */
  public int slot(long count) {
    return (int) (count & slots - 1);
  }

  /** The owner bit of that completion: it changes with every round. */
  public int owner(long count) {
    return (int) (count >>> Integer.numberOfTrailingZeros(slots)) & 1;
  }

  /** Whether an element of that count may be written: the slot's previous element is done. */
  public boolean hasRoom(long count, long completed) {
    return count - completed < slots;
  }

  /** The index in elements, records and doorbells. */
  public static int index(long count) {
    return (int) count & 0xffff;
  }

  /** The least count of at least {@code known} with this index. */
  public static long countFrom(long known, int index) {
    return extend(known, index, INDEX_BITS);
  }

  /** The least count of at least {@code known} with these 24 bits. */
  public static long consumedFrom(long known, int consumed) {
    return extend(known, consumed, CONSUMER_BITS);
  }

  /**
   * The number of elements done, given the index in a completion.
   *
   * @param known the number that was done before
   */
  public static long completedFrom(long known, int index) {
    return countFrom(known, index + 1);
  }

  private static long extend(long known, long low, int bits) {
    return known + (low - known & (1L << bits) - 1);
  }
}
