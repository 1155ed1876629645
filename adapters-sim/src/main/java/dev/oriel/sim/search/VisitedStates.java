package dev.oriel.sim.search;

import java.util.Arrays;

/**
 * Fingerprints of visited states, 128 bits each, which take 16 bytes and a little room between
 * them. They are in segments by their first bits, so that only a small part is copied when it
 * grows, and so that no array limits their number.
 *
 * <p>Within a segment they ascend. Each has a home, which ascends with it; it lies there, or after
 * it with no empty place in between. So a look-up ends at the first greater fingerprint, soon even
 * where nine of ten places are taken.
 */
final class VisitedStates {
  private static final int SEGMENT_BITS = 8;

  /** How many places a segment begins with, and up to which size it doubles. */
  private static final int FIRST = 8;

  private static final int DOUBLES = 1 << 10;

  /** A segment grows when so many of {@code WHOLE} places are taken. */
  private static final int CROWDED = 9;

  private static final int WHOLE = 10;

  /** The room after the last home, at first: fingerprints lie there that found theirs taken. */
  private static final int TAIL = 8;

  private static final long[] NONE = {};

  private final long max;
  private final long[][] segments = new long[1 << SEGMENT_BITS][];

  /** For each segment, the number of homes and of fingerprints. */
  private final int[] homes = new int[1 << SEGMENT_BITS];

  private final int[] counts = new int[1 << SEGMENT_BITS];
  private long count;
  private long bytes;
  private long made;
  private long largest;

  VisitedStates(long max) {
    this.max = max;
    Arrays.fill(segments, NONE);
  }

  long count() {
    return count;
  }

  boolean full() {
    return count >= max;
  }

  /** Bytes of all segments. */
  long bytes() {
    return bytes;
  }

  /** Bytes of all segments that there ever were. */
  long made() {
    return made;
  }

  /** Bytes in use while one more is added, including a larger segment that replaces one. */
  long footprint() {
    return bytes + 2 * largest;
  }

  /** Adds the fingerprint; true if it is new. */
  boolean add(long high, long low) {
    // An empty place holds zeros, so no fingerprint may.
    long first = low == 0 && high == 0 ? 1 : low;
    int segment = (int) (first >>> (Long.SIZE - SEGMENT_BITS));
    if ((long) WHOLE * counts[segment] >= (long) CROWDED * homes[segment]) {
      int now = homes[segment];
      int more = now < FIRST ? FIRST : now < DOUBLES ? 2 * now : Math.addExact(now, now / 4);
      grow(segment, more, tail(segment));
    }
    while (true) {
      long[] places = segments[segment];
      int at = place(places, homes[segment], first, high);
      if (places[at] == first && places[at + 1] == high) {
        return false;
      }
      int end = at;
      while (taken(places, end)) {
        end += 2;
      }
      // The last place stays empty, so every walk ends.
      if (end + 2 < places.length) {
        System.arraycopy(places, at, places, at + 2, end - at);
        places[at] = first;
        places[at + 1] = high;
        counts[segment]++;
        count++;
        return true;
      }
      // More homes would not help where all have the last one.
      grow(segment, homes[segment], 2 * tail(segment));
    }
  }

  /** All fingerprints, ascending: for each its second half, then its first. */
  long[] ascending() {
    long[] all = new long[Math.toIntExact(2 * count)];
    int next = 0;
    for (long[] places : segments) {
      for (int i = 0; i < places.length; i += 2) {
        if (taken(places, i)) {
          all[next++] = places[i];
          all[next++] = places[i + 1];
        }
      }
    }
    return all;
  }

  /** Whether fingerprints that ascend as those of {@link #ascending} have this one. */
  static boolean among(long[] ascending, long high, long low) {
    long first = low == 0 && high == 0 ? 1 : low;
    int from = 0;
    int end = ascending.length / 2;
    while (from < end) {
      int middle = (from + end) >>> 1;
      long otherFirst = ascending[2 * middle];
      long otherHigh = ascending[2 * middle + 1];
      if (otherFirst == first && otherHigh == high) {
        return true;
      }
      if (precedes(otherFirst, otherHigh, first, high)) {
        from = middle + 1;
      } else {
        end = middle;
      }
    }
    return false;
  }

  /** Two such arrays without a common fingerprint as one. */
  static long[] merged(long[] one, long[] other) {
    long[] all = new long[Math.addExact(one.length, other.length)];
    int i = 0;
    int j = 0;
    for (int next = 0; next < all.length; next += 2) {
      boolean first =
          j == other.length
              || (i < one.length && precedes(one[i], one[i + 1], other[j], other[j + 1]));
      if (first) {
        all[next] = one[i++];
        all[next + 1] = one[i++];
      } else {
        all[next] = other[j++];
        all[next + 1] = other[j++];
      }
    }
    return all;
  }

  /** The place of the fingerprint, or the place that it has to take. */
  private static int place(long[] places, int homes, long first, long high) {
    int at = 2 * home(homes, first);
    while (taken(places, at) && precedes(places[at], places[at + 1], first, high)) {
      at += 2;
    }
    return at;
  }

  private static boolean taken(long[] places, int at) {
    return (places[at] | places[at + 1]) != 0;
  }

  private static boolean precedes(long first, long high, long otherFirst, long otherHigh) {
    int order = Long.compareUnsigned(first, otherFirst);
    return order < 0 || (order == 0 && Long.compareUnsigned(high, otherHigh) < 0);
  }

  /** The bits after those of the segment, scaled to the number of homes. */
  private static int home(int homes, long first) {
    return (int) Math.unsignedMultiplyHigh(first << SEGMENT_BITS, homes);
  }

  /** Gives the segment so many homes and at least that tail, and moves its fingerprints. */
  private void grow(int segment, int newHomes, int leastTail) {
    long[] old = segments[segment];
    int tail = leastTail;
    long[] larger = moved(old, newHomes, tail);
    while (larger.length == 0) {
      tail *= 2;
      larger = moved(old, newHomes, tail);
    }
    bytes += (long) Long.BYTES * (larger.length - old.length);
    made += (long) Long.BYTES * larger.length;
    largest = Math.max(largest, (long) Long.BYTES * larger.length);
    segments[segment] = larger;
    homes[segment] = newHomes;
  }

  private int tail(int segment) {
    return Math.max(TAIL, segments[segment].length / 2 - homes[segment]);
  }

  /**
   * The fingerprints in a segment of so many homes, in the same order; empty if one does not fit.
   */
  private static long[] moved(long[] old, int homes, int tail) {
    long[] places = new long[Math.multiplyExact(2, Math.addExact(homes, tail))];
    int next = 0;
    for (int i = 0; i < old.length; i += 2) {
      if (taken(old, i)) {
        int at = Math.max(next, 2 * home(homes, old[i]));
        if (at + 2 >= places.length) {
          return NONE;
        }
        places[at] = old[i];
        places[at + 1] = old[i + 1];
        next = at + 2;
      }
    }
    return places;
  }
}
