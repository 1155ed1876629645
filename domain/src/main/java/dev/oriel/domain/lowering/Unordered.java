package dev.oriel.domain.lowering;

/**
 * What the threads of a lane may have done since they last met.
 *
 * @param touched some thread accessed memory
 * @param loaded every thread loaded a word
 * @param stored one thread stored a word
 * @param changed one thread changed a word in one step, and nobody waited for it
 */
record Unordered(boolean touched, boolean loaded, boolean stored, boolean changed) {
  /** They have just met. */
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

  /** A load comes behind the lane's own stores: threads meet in between. */
  Unordered thenLoad() {
    return new Unordered(true, true, false, changed && !stored);
  }

  /** A store comes behind the lane's own loads: threads meet in between. */
  Unordered thenStore() {
    return new Unordered(true, false, true, changed && !loaded);
  }

  /** The same by a strong store, which keeps its place among what its thread releases. */
  Unordered thenStrong() {
    return new Unordered(touched && !loaded, false, true, changed && !loaded);
  }

  /** A word changes, which no thread but the one that does it has behind it yet. */
  Unordered thenChange() {
    return new Unordered(touched, loaded, stored, true);
  }

  /** Threads meet where some access is to be behind them. */
  Unordered met() {
    return touched ? NONE : this;
  }

  /** A copy that reads, or also writes, own memory comes behind the lane's own words. */
  Unordered thenCall(boolean writes) {
    return stored || (writes && loaded) ? NONE : this;
  }
}
