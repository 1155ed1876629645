package dev.oriel.it.readback;

import java.util.BitSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A set of addresses, most of them neighbours. */
final class Bytes {
  private static final int SHIFT = 28;
  private static final int INSIDE = (1 << SHIFT) - 1;

  private final Map<Long, BitSet> things = new TreeMap<>();

  void add(long address, long bytes) {
    int from = (int) address & INSIDE;
    things.computeIfAbsent(address >>> SHIFT, t -> new BitSet()).set(from, from + (int) bytes);
  }

  void remove(long address, long bytes) {
    int from = (int) address & INSIDE;
    things.computeIfAbsent(address >>> SHIFT, t -> new BitSet()).clear(from, from + (int) bytes);
  }

  /** Whether the set contains all of them. */
  boolean has(long address, long bytes) {
    BitSet thing = things.get(address >>> SHIFT);
    int from = (int) address & INSIDE;
    return thing != null
        && (bytes == 0 || (thing.get(from) && thing.nextClearBit(from) >= from + bytes));
  }

  OptionalLong first() {
    for (Map.Entry<Long, BitSet> thing : things.entrySet()) {
      if (!thing.getValue().isEmpty()) {
        return OptionalLong.of((thing.getKey() << SHIFT) + thing.getValue().nextSetBit(0));
      }
    }
    return OptionalLong.empty();
  }
}
