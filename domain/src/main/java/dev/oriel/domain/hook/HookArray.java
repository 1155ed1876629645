package dev.oriel.domain.hook;

import dev.oriel.domain.data.ElementArray;

/**
 * The available part of an array: its elements, the first of which has index {@code origin} in the
 * whole array. A hook thus runs tile by tile with the indices of the whole transfer.
 */
public record HookArray(ElementArray elements, long origin) {

  public HookArray {
    if (origin < 0 || origin > IndexMap.MAX_INDEX) {
      throw new IllegalArgumentException(
          "bad origin: origin=%d, most=%d; count elements from 0"
              .formatted(origin, IndexMap.MAX_INDEX));
    }
  }

  /** A whole array. */
  public static HookArray of(ElementArray elements) {
    return new HookArray(elements, 0);
  }

  boolean holds(long index) {
    return index >= origin && index - origin < elements.count();
  }

  long get(long index) {
    return elements.get((int) (index - origin));
  }

  void set(long index, long pattern) {
    elements.set((int) (index - origin), pattern);
  }
}
