package dev.oriel.sim.time;

import java.util.Arrays;

/**
 * Numbers keys 0, 1, 2, … in the order of their first use. A world has far more pairs of ranks than
 * its program uses; only used pairs take space.
 */
final class LongIndex {
  private long[] keys = new long[256];

  /** Open addressing, at most half full: a key, then its number plus one, or 0 in a free place. */
  private long[] table = new long[1024];

  private int size;

  long key(int number) {
    return keys[number];
  }

  /** The number of the key; a new key gets the next number. */
  int of(long key) {
    int at = place(key);
    return table[at + 1] == 0 ? add(key, at) : (int) table[at + 1] - 1;
  }

  /** The number of the key, or -1 if it has none. */
  int find(long key) {
    return (int) table[place(key) + 1] - 1;
  }

  /** The place of the key in the table, or the free place for it. */
  private int place(long key) {
    int mask = table.length - 1;
    int at = 2 * spread(key) & mask;
    while (table[at] != key && table[at + 1] != 0) {
      at = (at + 2) & mask;
    }
    return at;
  }

  private int add(long key, int at) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
    }
    keys[size] = key;
    table[at] = key;
    table[at + 1] = ++size;
    if (4 * size > table.length) {
      grow();
    }
    return size - 1;
  }

  private void grow() {
    table = new long[Math.multiplyExact(2, table.length)];
    for (int number = 0; number < size; number++) {
      int at = place(keys[number]);
      table[at] = keys[number];
      table[at + 1] = number + 1L;
    }
  }

  /** Keys are regular, so every bit of them must reach the low bits of the place. */
  private static int spread(long key) {
    long mixed = (key ^ key >>> 32) * 0x9E37_79B9_7F4A_7C15L;
    mixed = (mixed ^ mixed >>> 29) * 0xBF58_476D_1CE4_E5B9L;
    return (int) (mixed ^ mixed >>> 32);
  }
}
