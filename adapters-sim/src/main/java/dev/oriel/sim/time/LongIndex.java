package dev.oriel.sim.time;

import java.util.Arrays;

/**
 * Numbers keys 0, 1, 2, … in the order in which they are first asked for. A world has far more
 * pairs of ranks than its program uses: only those that are used take space.
 */
final class LongIndex {
  private long[] keys = new long[256];

  /** Open addressing; a number plus one, 0 where free. Twice as many places as keys, at least. */
  private int[] table = new int[1024];

  private int size;

  int size() {
    return size;
  }

  long key(int number) {
    return keys[number];
  }

  /** The number of the key, which gets the next one if it has none. */
  int of(long key) {
    int mask = table.length - 1;
    int at = spread(key) & mask;
    while (true) {
      int number = table[at] - 1;
      if (number < 0) {
        return add(key, at);
      }
      if (keys[number] == key) {
        return number;
      }
      at = (at + 1) & mask;
    }
  }

  /** The number of the key, or -1 if it has none. */
  int find(long key) {
    int mask = table.length - 1;
    int at = spread(key) & mask;
    while (table[at] != 0) {
      if (keys[table[at] - 1] == key) {
        return table[at] - 1;
      }
      at = (at + 1) & mask;
    }
    return -1;
  }

  private int add(long key, int at) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
    }
    keys[size] = key;
    table[at] = ++size;
    if (2 * size > table.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    table = new int[2 * table.length];
    int mask = table.length - 1;
    for (int number = 0; number < size; number++) {
      int at = spread(keys[number]) & mask;
      while (table[at] != 0) {
        at = (at + 1) & mask;
      }
      table[at] = number + 1;
    }
  }

  private static int spread(long key) {
    long mixed = key * 0x9E37_79B9_7F4A_7C15L;
    return (int) (mixed >>> 32 ^ mixed >>> 17);
  }
}
