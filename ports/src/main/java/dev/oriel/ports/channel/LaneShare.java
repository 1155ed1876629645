package dev.oriel.ports.channel;

/**
 * The part of each message that one lane of a channel carries: consecutive whole elements, equally
 * many for each lane except the last ones.
 *
 * @param number of the lane
 * @param lanes of the channel
 */
record LaneShare(int number, int lanes) {
  /** The whole message. */
  static final LaneShare WHOLE = new LaneShare(0, 1);

  /** Shares begin at multiples of this many elements, hence of at least this many bytes. */
  private static final int STEP = 16;

  /** The offset of the share in a message of {@code length} bytes. */
  long begin(long length, int element) {
    long each = Math.ceilDiv(Math.ceilDiv(length / element, lanes), STEP) * (long) STEP * element;
    return Math.min(each * number, length / element * element);
  }

  /** The number of bytes of the share. */
  long length(long length, int element) {
    // An incomplete element falls to the last lane, which refuses it.
    long end =
        number + 1 == lanes ? length : new LaneShare(number + 1, lanes).begin(length, element);
    return end - begin(length, element);
  }
}
