package dev.oriel.sim.ranks;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * The running lanes of a rank, and those that wait for one to end. A machine may run only a limited
 * number at once; like blocks of a grid, lanes then begin in order.
 */
final class ResidentLanes {
  private final int most;
  private final Queue<SecondaryLane> waiting = new ArrayDeque<>();
  private int atWork;

  /** At most that many at once; any number if it is 0. */
  ResidentLanes(int most) {
    this.most = most == 0 ? Integer.MAX_VALUE : most;
  }

  /** The lane of the rank's own code begins, as the only running lane. */
  void begin() {
    waiting.clear();
    atWork = 1;
  }

  /** Another lane is to begin. Returns the signal that starts it, or nothing if it has to wait. */
  Optional<LaneRequest> begin(SecondaryLane lane) {
    if (atWork == most) {
      waiting.add(lane);
      return Optional.empty();
    }
    atWork++;
    return Optional.of(lane.startSignal());
  }

  /** A lane has ended. Returns the signal that starts the next waiting lane, if there is one. */
  Optional<LaneRequest> end() {
    atWork--;
    return Optional.ofNullable(waiting.poll()).flatMap(this::begin);
  }
}
