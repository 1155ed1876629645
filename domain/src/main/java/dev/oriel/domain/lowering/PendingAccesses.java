package dev.oriel.domain.lowering;

/**
 * The accesses that the threads of a lane may have made since they last met at a barrier.
 *
 * @param touched some thread accessed memory
 * @param loaded every thread loaded a word
 * @param stored one thread stored a word
 * @param changed one thread changed a word atomically, and no thread waited for it
 */
record PendingAccesses(boolean touched, boolean loaded, boolean stored, boolean changed) {
  /** The state directly after a barrier. */
  static final PendingAccesses NONE = new PendingAccesses(false, false, false, false);

  PendingAccesses or(PendingAccesses other) {
    return new PendingAccesses(
        touched || other.touched,
        loaded || other.loaded,
        stored || other.stored,
        changed || other.changed);
  }

  PendingAccesses moved() {
    return new PendingAccesses(true, loaded, stored, changed);
  }

  /** After a load, which is ordered after the lane's own stores by a barrier if there are any. */
  PendingAccesses thenLoad() {
    return new PendingAccesses(true, true, false, changed && !stored);
  }

  /** After a store, which is ordered after the lane's own loads by a barrier if there are any. */
  PendingAccesses thenStore() {
    return new PendingAccesses(true, false, true, changed && !loaded);
  }

  /** The same for a strong store, which its thread's later releases cover. */
  PendingAccesses thenStrong() {
    return new PendingAccesses(touched && !loaded, false, true, changed && !loaded);
  }

  /** After an atomic change; only the changing thread is ordered after it. */
  PendingAccesses thenChange() {
    return new PendingAccesses(touched, loaded, stored, true);
  }

  /** After an edge that needs a barrier if memory was touched. */
  PendingAccesses met() {
    return touched ? NONE : this;
  }

  /**
   * Before a copy, which is ordered after the lane's own stores of words and, if it writes own
   * memory, after its loads.
   */
  PendingAccesses thenCall(boolean writes) {
    return stored || (writes && loaded) ? NONE : this;
  }
}
