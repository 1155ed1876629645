package dev.oriel.sim.search;

/** Fingerprints of visited states, 128 bits each, in an open-addressing table. */
final class VisitedStates {
  private static final int FIRST = 1 << 6;

  private final long max;
  private long[] table = new long[2 * FIRST];
  private long count;

  VisitedStates(long max) {
    this.max = max;
  }

  long count() {
    return count;
  }

  boolean full() {
    return count >= max;
  }

  /** Bytes in use while one more is added, including the old table while a larger one is built. */
  long footprint() {
    long now = (long) Long.BYTES * table.length;
    return crowded() ? 3 * now : now;
  }

  private boolean crowded() {
    return 2 * (count + 1) > table.length / 2;
  }

  /** Adds the fingerprint; true if it is new. */
  boolean add(long high, long low) {
    long a = high == 0 && low == 0 ? 1 : high;
    if (crowded()) {
      grow();
    }
    if (put(table, a, low)) {
      count++;
      return true;
    }
    return false;
  }

  private static boolean put(long[] table, long high, long low) {
    int mask = table.length / 2 - 1;
    int at = (int) (low ^ high >>> 17) & mask;
    while (table[2 * at] != 0 || table[2 * at + 1] != 0) {
      if (table[2 * at] == high && table[2 * at + 1] == low) {
        return false;
      }
      at = at + 1 & mask;
    }
    table[2 * at] = high;
    table[2 * at + 1] = low;
    return true;
  }

  private void grow() {
    long[] larger = new long[2 * table.length];
    for (int i = 0; i < table.length; i += 2) {
      if (table[i] != 0 || table[i + 1] != 0) {
        put(larger, table[i], table[i + 1]);
      }
    }
    table = larger;
  }
}
