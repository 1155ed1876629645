package dev.oriel.ports.channel;

/**
 * Which part of each message one lane of a channel carries: whole elements in a row, as many for
 * each lane but the last ones.
 *
 * @param number of the lane
 * @param lanes of the channel
 */
record Share(int number, int lanes) {
  /** All of it. */
  static final Share WHOLE = new Share(0, 1);

  /** Shares begin at multiples of so many elements, and so of as many bytes. */
  private static final int STEP = 16;

  /** Where the share of a message of so many bytes begins in it. */
  long begin(long length, int element) {
    long each = Math.ceilDiv(Math.ceilDiv(length / element, lanes), STEP) * (long) STEP * element;
    return Math.min(each * number, length / element * element);
  }

  /** How many bytes it has. */
  long length(long length, int element) {
    // What is left of an element is the last lane's, which refuses it.
    long end = number + 1 == lanes ? length : new Share(number + 1, lanes).begin(length, element);
    return end - begin(length, element);
  }
}
