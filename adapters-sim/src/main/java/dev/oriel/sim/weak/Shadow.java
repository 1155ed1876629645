package dev.oriel.sim.weak;

import java.util.Arrays;

/**
 * Who last wrote, and who since read, each byte of one buffer: an ordered list of intervals whose
 * bytes have the same history. An access splits at its ends; a write merges what it covers.
 */
final class Shadow {
  private static final int START = 0;
  private static final int WRITER = 1;
  private static final int TICK = 2;
  private static final int SITE = 3;
  private static final int FIELDS = 4;

  /** Reads of an interval: agent, tick, site, three numbers each. */
  private static final int[] NO_READS = {};

  private int[] fields = new int[FIELDS * 8];
  private int[][] reads = new int[8][];
  private int count;
  private final int size;

  /** What an access found unordered: the other access. */
  record Conflict(int agent, int site, boolean write, int from) {
    boolean found() {
      return agent >= 0;
    }
  }

  Shadow(int size) {
    this.size = size;
    count = 1;
    fields[START] = 0;
    fields[WRITER] = -1;
    fields[TICK] = 0;
    fields[SITE] = -1;
    reads[0] = NO_READS;
  }

  /** The interval that starts at {@code at}, split off if need be; {@code count} at the end. */
  private int split(int at) {
    if (at >= size) {
      return count;
    }
    int low = 0;
    int high = count - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (fields[middle * FIELDS + START] <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    if (fields[low * FIELDS + START] == at) {
      return low;
    }
    if (count == reads.length) {
      fields = Arrays.copyOf(fields, fields.length * 2);
      reads = Arrays.copyOf(reads, reads.length * 2);
    }
    int next = low + 1;
    System.arraycopy(fields, low * FIELDS, fields, next * FIELDS, (count - low) * FIELDS);
    System.arraycopy(reads, low, reads, next, count - low);
    fields[next * FIELDS + START] = at;
    count++;
    return next;
  }

  /**
   * Notes a read by {@code agent} at its own {@code tick}; {@code clock} is what it knows of
   * others, {@code self} up to which tick its own accesses are ordered. Those of one tick are one
   * move's.
   *
   * @return the write that is not ordered before it, or {@link #NONE}
   */
  Conflict read(int from, int length, int agent, int tick, int[] clock, int self, int site) {
    Conflict found = NONE;
    int first = split(from);
    int last = split(from + length);
    for (int i = first; i < last; i++) {
      int at = i * FIELDS;
      int writer = fields[at + WRITER];
      if (!found.found()
          && writer >= 0
          && !ordered(writer, fields[at + TICK], agent, tick, clock, self)) {
        found = new Conflict(writer, fields[at + SITE], true, fields[at + START]);
      }
      reads[i] = withRead(reads[i], agent, tick, site);
    }
    return found;
  }

  /** Notes a write; see {@link #read}. Reads that are not ordered before it conflict as well. */
  Conflict write(int from, int length, int agent, int tick, int[] clock, int self, int site) {
    Conflict found = NONE;
    int first = split(from);
    int last = split(from + length);
    for (int i = first; i < last && !found.found(); i++) {
      int at = i * FIELDS;
      int writer = fields[at + WRITER];
      if (writer >= 0 && !ordered(writer, fields[at + TICK], agent, tick, clock, self)) {
        found = new Conflict(writer, fields[at + SITE], true, fields[at + START]);
      }
      int[] seen = reads[i];
      for (int k = 0; k < seen.length && !found.found(); k += 3) {
        if (!ordered(seen[k], seen[k + 1], agent, tick, clock, self)) {
          found = new Conflict(seen[k], seen[k + 2], false, fields[at + START]);
        }
      }
    }
    if (first < last) {
      int at = first * FIELDS;
      fields[at + WRITER] = agent;
      fields[at + TICK] = tick;
      fields[at + SITE] = site;
      reads[first] = NO_READS;
      int gone = last - first - 1;
      System.arraycopy(
          fields, last * FIELDS, fields, (first + 1) * FIELDS, (count - last) * FIELDS);
      System.arraycopy(reads, last, reads, first + 1, count - last);
      count -= gone;
    }
    return found;
  }

  /** Whether an earlier access is ordered before one by {@code agent} at {@code tick}. */
  private static boolean ordered(int other, int then, int agent, int tick, int[] clock, int self) {
    return other == agent ? then <= self || then == tick : then <= clock[other];
  }

  static final Conflict NONE = new Conflict(-1, -1, false, -1);

  private static int[] withRead(int[] reads, int agent, int tick, int site) {
    for (int k = 0; k < reads.length; k += 3) {
      if (reads[k] == agent) {
        if (reads[k + 1] == tick && reads[k + 2] == site) {
          return reads;
        }
        int[] changed = reads.clone();
        changed[k + 1] = tick;
        changed[k + 2] = site;
        return changed;
      }
    }
    int[] more = Arrays.copyOf(reads, reads.length + 3);
    more[reads.length] = agent;
    more[reads.length + 1] = tick;
    more[reads.length + 2] = site;
    return more;
  }
}
