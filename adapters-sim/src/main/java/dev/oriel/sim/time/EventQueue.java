package dev.oriel.sim.time;

import java.util.Arrays;

/**
 * Future events, earliest first; events of equal time in the order in which they were added.
 *
 * <p>Events of one time form a chain, and a heap with four children a node holds the chains. Ranks
 * that run in step therefore cost no comparisons. A small table maps recent times to their newest
 * chains. No event is added to a chain that the table forgot. Chains of one time, ordered by age,
 * therefore still hold their events in order. Adding and removing allocate nothing once the arrays
 * have grown.
 *
 * <p>An event is a small number that is in the queue at most once; it links the chains.
 */
final class EventQueue {
  private static final int RECENT = 1 << 10;

  /** The heap: the time of each chain, and its age with its number in the low bits. */
  private long[] times = new long[256];

  private long[] tags = new long[256];
  private int size;
  private long chains;

  private int[] head = new int[256];
  private int[] tail = new int[256];
  private int[] unused = new int[256];
  private int unusedCount;
  private int used;

  /** The next event in the chain. */
  private int[] next = new int[1024];

  /** By the hash of a time: a chain that had that time, unless it has been reused since. */
  private final int[] recent = new int[RECENT];

  private final long[] recentTime = new long[RECENT];
  private long added;

  EventQueue() {
    Arrays.fill(recentTime, -1);
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the earliest event; {@link Long#MAX_VALUE} if there is none. */
  long earliest() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** The number of events that were ever added. */
  long added() {
    return added;
  }

  void add(long time, int what) {
    added++;
    if (what >= next.length) {
      next = Arrays.copyOf(next, Math.max(2 * next.length, what + 1));
    }
    int slot = slot(time);
    int chain;
    if (recentTime[slot] == time) {
      chain = recent[slot];
      next[tail[chain]] = what;
    } else {
      chain = unusedCount > 0 ? unused[--unusedCount] : used++;
      if (chain == head.length) {
        head = Arrays.copyOf(head, 2 * chain);
        tail = Arrays.copyOf(tail, 2 * chain);
        unused = Arrays.copyOf(unused, 2 * chain);
      }
      head[chain] = what;
      recent[slot] = chain;
      recentTime[slot] = time;
      insert(time, chain);
    }
    tail[chain] = what;
  }

  private void insert(long time, int chain) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      tags = Arrays.copyOf(tags, 2 * size);
    }
    // The newest chain of its time follows all others of that time, so equal times need no
    // comparison.
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
    tags[at] = chains++ << 30 | chain;
  }

  /** Removes and returns the earliest event. */
  int remove() {
    int chain = (int) (tags[0] & ((1 << 30) - 1));
    int what = head[chain];
    if (what == tail[chain]) {
      int slot = slot(times[0]);
      if (recent[slot] == chain && recentTime[slot] == times[0]) {
        recentTime[slot] = -1;
      }
      unused[unusedCount++] = chain;
      removeFirst();
    } else {
      head[chain] = next[what];
    }
    return what;
  }

  private void removeFirst() {
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
  }

  private static boolean before(long time, long tag, long otherTime, long otherTag) {
    return time < otherTime || (time == otherTime && tag < otherTag);
  }

  private static int slot(long time) {
    return (int) ((time * 0x9E37_79B9_7F4A_7C15L) >>> 54);
  }
}
