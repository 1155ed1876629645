package dev.oriel.domain.lowering;

/**
 * The accesses that the threads of a lane may have made since they last met at a barrier.
 *
 * @param touched some thread accessed memory
 * @param loaded every thread loaded a word
 * @param stored one thread stored a word
 * @param changed one thread changed a word atomically, and no thread waited for it
 */
record Unordered(boolean touched, boolean loaded, boolean stored, boolean changed) {
  /** The state directly after a barrier. */
  static final Unordered NONE = new Unordered(false, false, false, false);

  Unordered or(Unordered other) {
    return new Unordered(
        touched || other.touched,
        loaded || other.loaded,
        stored || other.stored,
        changed || other.changed);
  }

  Unordered moved() {
    return new Unordered(true, loaded, stored, changed);
  }

  /** After a load, which is ordered after the lane's own stores by a barrier if there are any. */
  Unordered thenLoad() {
    return new Unordered(true, true, false, changed && !stored);
  }

  /** After a store, which is ordered after the lane's own loads by a barrier if there are any. */
  Unordered thenStore() {
    return new Unordered(true, false, true, changed && !loaded);
  }

  /** The same for a strong store, which its thread's later releases cover. */
  Unordered thenStrong() {
    return new Unordered(touched && !loaded, false, true, changed && !loaded);
  }

  /** After an atomic change; only the changing thread is ordered after it. */
  Unordered thenChange() {
    return new Unordered(touched, loaded, stored, true);
  }

  /** After an edge that needs a barrier if memory was touched. */
  Unordered met() {
    return touched ? NONE : this;
  }

  /**
   * Before a copy, which is ordered after the lane's own stores of words and, if it writes own
   * memory, after its loads.
   */
  Unordered thenCall(boolean writes) {
    return stored || (writes && loaded) ? NONE : this;
  }
}
