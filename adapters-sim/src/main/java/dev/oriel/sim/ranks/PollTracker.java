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

  private record Poll(LaneRequest at, long seen, int times) {}

  private final List<Poll> polls = new ArrayList<>();

  /** Records the result of a poll. Two failed attempts have the same result. */
  void found(LaneRequest at, long value) {
    for (int i = 0; i < polls.size(); i++) {
      Poll poll = polls.get(i);
      if (poll.at.samePoll(at)) {
        if (poll.seen == value) {
          polls.set(i, new Poll(at, value, poll.times + 1));
          return;
        }
        polls.clear();
      }
    }
    polls.add(new Poll(at, value, 1));
  }

  /** Forgets all polls, because the lane makes another call. */
  void end() {
    polls.clear();
  }

  /** Whether another poll there would most likely find the same once more. */
  boolean again(LaneRequest at) {
    for (Poll poll : polls) {
      if (poll.at.samePoll(at)) {
        return poll.times >= FREE;
      }
    }
    return false;
  }
}
