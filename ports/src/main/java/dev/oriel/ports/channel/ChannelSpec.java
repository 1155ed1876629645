package dev.oriel.ports.channel;

/**
 * The shape of a channel from one rank to another, the same at both ends and for ever: another tile
 * size for some call would overwrite tiles that are not yet drained.
 *
 * @param base where the ring begins in the receiver's part of the window, a multiple of 16
 * @param tile bytes that are sent and credited at once, a multiple of 16
 * @param depth how many tiles the ring has
 * @param data the signal slot in which the sender tells what has arrived
 * @param free the signal slot in which the receiver tells what was drained
 * @param drained the counter of the sender for sources that may be overwritten
 */
public record ChannelSpec(long base, int tile, int depth, int data, int free, int drained) {
  /** Cursors move by multiples of this; what is left of it behind a message is never written. */
  static final int QUANTUM = 16;

  public ChannelSpec {
    if (base < 0 || base % QUANTUM != 0 || tile < QUANTUM || tile % QUANTUM != 0 || depth < 1) {
      throw new IllegalArgumentException(
          "bad channel: base=%d, tile=%d, depth=%d; base and tile are multiples of %d, depth is at least 1"
              .formatted(base, tile, depth, QUANTUM));
    }
  }

  /** Bytes of the ring. */
  public long bytes() {
    return (long) tile * depth;
  }

  /**
   * How many bytes the next tile has where so many are left: it ends with the ring at the latest.
   */
  int next(long cursor, long left) {
    long toEnd = bytes() - Math.floorMod(cursor, bytes());
    return (int) Math.min(Math.min(tile, left), toEnd);
  }

  /** How far cursors move for so many bytes. */
  static long credit(int bytes) {
    return Math.ceilDiv(bytes, QUANTUM) * (long) QUANTUM;
  }

  /** Where that cursor is in the window. */
  long place(long cursor) {
    return base + Math.floorMod(cursor, bytes());
  }
}
