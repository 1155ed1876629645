package dev.oriel.sim.machine.provenance;

import dev.oriel.sim.machine.fingerprint.HashMixer;
import java.util.Arrays;

/** Numbers by byte with its origin. One entry is two words, without objects. */
final class OctetTable {
  /** The value of a byte that is not in the table; no value is negative. */
  static final long NONE = -1;

  private static final int START = 64;

  /** A table that is so many times larger than it needs to be is replaced, not cleared. */
  private static final int MUCH = 8;

  private long[] keys = new long[START];

  /** For each key: its value plus one; 0 where there is no key. */
  private long[] values = new long[START];

  private int size;

  int size() {
    return size;
  }

  /** Removes all entries, and makes room for so many. */
  void clear(int room) {
    int most = Math.max(START, Integer.highestOneBit(Math.max(1, room)) << 2);
    if (values.length > MUCH * most || values.length < 2 * room) {
      keys = new long[most];
      values = new long[most];
    } else if (size > 0) {
      Arrays.fill(values, 0);
    }
    size = 0;
  }

  long get(long key) {
    return values[place(key)] - 1;
  }

  void putIfAbsent(long key, long value) {
    if (2 * size >= values.length) {
      grow();
    }
    int at = place(key);
    if (values[at] == 0) {
      keys[at] = key;
      values[at] = value + 1;
      size++;
    }
  }

  /** The place of the key, or the free one at which it belongs. */
  private int place(long key) {
    int mask = values.length - 1;
    int at = (int) HashMixer.spread(key) & mask;
    while (values[at] != 0 && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }

  private void grow() {
    long[] oldKeys = keys;
    long[] oldValues = values;
    keys = new long[2 * oldKeys.length];
    values = new long[keys.length];
    for (int i = 0; i < oldValues.length; i++) {
      if (oldValues[i] != 0) {
        int at = place(oldKeys[i]);
        keys[at] = oldKeys[i];
        values[at] = oldValues[i];
      }
    }
  }
}
