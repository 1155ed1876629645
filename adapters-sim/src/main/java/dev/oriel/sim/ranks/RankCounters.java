package dev.oriel.sim.ranks;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.WindowErrors;
import dev.oriel.sim.machine.driver.LaneDriver;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The counters of a window of one rank, which count its own transfers. */
final class RankCounters {
  private final RankLane lane;
  private final WindowSpec spec;
  private final WindowPlacement place;
  private final WindowChecks checks;
  private final WindowRequests requests;

  RankCounters(RankWindowState part, RankLane lane, WindowChecks checks, WindowRequests requests) {
    this.lane = lane;
    this.spec = part.spec;
    this.place = part.place;
    this.checks = checks;
    this.requests = requests;
  }

  /** Checks that it is a counter for another rank and that no other lane uses it. */
  void check(int peer, int id) {
    checks.slot("counter", peer, id, spec.counters());
    checks.own(SlotLanes.Use.COUNTER, peer, id);
  }

  long value(int peer, int id) {
    check(peer, id);
    return requests
        .askPlain(request(LaneOperation.LOOK_COUNT, peer, id, 0, LaneDriver.NEVER))
        .value();
  }

  void await(int peer, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    check(peer, id);
    LaneOperation operation = LaneOperation.comparing("COUNT", comparison);
    LaneRequest wait = request(operation, peer, id, value, lane.nanos(deadline));
    if (requests.askPlain(wait).timedOut()) {
      throw new TimeoutException(
          WindowErrors.noCount(
              spec.name(), lane.rank, peer, id, value(peer, id), comparison, value));
    }
  }

  private LaneRequest request(LaneOperation operation, int peer, int id, long value, long nanos) {
    LaneRequest wait = LaneRequest.waiting(operation, peer, word(peer, id), value, nanos);
    // Here the first operand is the counter's id in reports; it is no address.
    return wait.moved(id, 0, 0);
  }

  /** The index of the counter's word. */
  int word(int peer, int id) {
    return peer * lane.memory.counters() + place.ids().counter() + id;
  }
}
