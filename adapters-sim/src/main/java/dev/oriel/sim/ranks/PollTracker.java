package dev.oriel.sim.ranks;

import java.util.ArrayList;
import java.util.List;

/**
 * Polls of one lane since it last made another call or found a new value, with the number of each.
 * Several slots may be polled in turn: such code waits for all of them.
 */
final class PollTracker {
  /** Polls with the same result after which the next poll waits for a step of another agent. */
  private static final int FREE = 2;

  private record Look(LaneRequest at, long seen, int times) {}

  private final List<Look> looks = new ArrayList<>();

  /** Records the result of a poll. Two failed attempts have the same result. */
  void found(LaneRequest at, long value) {
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

  /** Forgets all polls, because the lane makes another call. */
  void end() {
    looks.clear();
  }

  /** Whether another poll there would most likely find the same once more. */
  boolean again(LaneRequest at) {
    for (Look look : looks) {
      if (look.at.looksLike(at)) {
        return look.times >= FREE;
      }
    }
    return false;
  }
}
