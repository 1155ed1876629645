package dev.oriel.domain.lowering;

/**
 * What the threads of a lane may have done since they last met.
 *
 * @param touched some thread accessed memory
 * @param loaded every thread loaded a word
 * @param stored one thread stored a word
 */
record Unordered(boolean touched, boolean loaded, boolean stored) {
  /** They have just met. */
  static final Unordered NONE = new Unordered(false, false, false);

  Unordered or(Unordered other) {
    return new Unordered(touched || other.touched, loaded || other.loaded, stored || other.stored);
  }

  Unordered moved() {
    return new Unordered(true, loaded, stored);
  }

  /** A load comes behind the lane's own stores: threads meet in between. */
  Unordered thenLoad() {
    return stored ? new Unordered(true, true, false) : new Unordered(true, true, stored);
  }

  /** A store comes behind the lane's own loads: threads meet in between. */
  Unordered thenStore() {
    return loaded ? new Unordered(true, false, true) : new Unordered(true, loaded, true);
  }

  /** A copy that reads, or also writes, own memory comes behind the lane's own words. */
  Unordered thenCall(boolean writes) {
    return stored || (writes && loaded) ? NONE : this;
  }
}
