package dev.oriel.sim.time;

import java.util.Arrays;

/**
 * What will happen, earliest first; events of one time in the order in which they were added.
 *
 * <p>A heap of four children a node in two arrays: the time, and the sequence number with what
 * happens in its low bits. Adding and removing allocate nothing once the arrays have grown.
 */
final class EventQueue {
  /** What happens is a number below this. */
  static final long PAYLOADS = 1L << 30;

  private long[] times = new long[1024];
  private long[] tags = new long[1024];
  private int size;
  private long added;

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the earliest event; the end of time if there is none. */
  long earliest() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** How many events were ever added. */
  long added() {
    return added;
  }

  void add(long time, long payload) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      tags = Arrays.copyOf(tags, 2 * size);
    }
    // The newest of its time goes behind all others, so equal times need no comparison here.
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >> 2;
      if (times[parent] <= time) {
        break;
      }
      times[at] = times[parent];
      tags[at] = tags[parent];
      at = parent;
    }
    times[at] = time;
    tags[at] = added++ * PAYLOADS + payload;
  }

  /** Removes the earliest event and answers what happens. */
  int remove() {
    final long first = tags[0];
    size--;
    long time = times[size];
    long tag = tags[size];
    int at = 0;
    int child = 1;
    while (child < size) {
      int least = child;
      int end = Math.min(child + 4, size);
      for (int other = child + 1; other < end; other++) {
        if (before(times[other], tags[other], times[least], tags[least])) {
          least = other;
        }
      }
      if (!before(times[least], tags[least], time, tag)) {
        break;
      }
      times[at] = times[least];
      tags[at] = tags[least];
      at = least;
      child = (at << 2) + 1;
    }
    times[at] = time;
    tags[at] = tag;
    return (int) (first & (PAYLOADS - 1));
  }

  private static boolean before(long time, long tag, long otherTime, long otherTag) {
    return time < otherTime || (time == otherTime && tag < otherTag);
  }
}
