package dev.oriel.sim.ranks;

import java.util.ArrayList;
import java.util.List;

/**
 * What one lane has looked at since it last did something else or found something new, and how
 * often: also of several slots in turn, since code that goes from one to the next waits for all.
 */
final class Looks {
  /** Looks that find the same before another one waits for somebody else's step. */
  private static final int FREE = 2;

  private record Look(Request at, long seen, int times) {}

  private final List<Look> looks = new ArrayList<>();

  /** The lane has found that; an attempt that failed finds the same as one that failed before. */
  void found(Request at, long value) {
    for (int i = 0; i < looks.size(); i++) {
      Look look = looks.get(i);
      if (look.at.looksLike(at)) {
        if (look.seen == value) {
          looks.set(i, new Look(at, value, look.times + 1));
          return;
        }
        looks.clear();
      }
    }
    looks.add(new Look(at, value, 1));
  }

  /** The lane does something else. */
  void end() {
    looks.clear();
  }

  /** Whether to look there would most likely find the same once more. */
  boolean again(Request at) {
    for (Look look : looks) {
      if (look.at.looksLike(at)) {
        return look.times >= FREE;
      }
    }
    return false;
  }
}
