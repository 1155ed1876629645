package dev.oriel.sim.ranks;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The lanes of a rank that are at work, and those that wait until one of them has come to its end,
 * where a machine runs only so many at once: as blocks of a grid, they begin in order.
 */
final class Residents {
  private final int most;
  private final Queue<SideLane> waiting = new ArrayDeque<>();
  private int atWork;

  /** At most so many at once; any number if that is 0. */
  Residents(int most) {
    this.most = most == 0 ? Integer.MAX_VALUE : most;
  }

  /** The lane of the rank's own code begins, and nobody else is at work. */
  void begin() {
    waiting.clear();
    atWork = 1;
  }

  /** Another lane is to begin: how it is told to, unless it has to wait. */
  Optional<Request> begin(SideLane lane) {
    if (atWork == most) {
      waiting.add(lane);
      return Optional.empty();
    }
    atWork++;
    return Optional.of(lane.tell());
  }

  /** A lane has come to its end: how the next one that waits is told to begin, if one does. */
  Optional<Request> end() {
    atWork--;
    return Optional.ofNullable(waiting.poll()).flatMap(this::begin);
  }
}
