package dev.oriel.sim.ranks;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.setup.SlotLanes;
import dev.oriel.ports.setup.SlotSums;
import dev.oriel.ports.setup.WindowErrors;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** The signals that one rank sends and awaits in a window. */
final class RankSignals {
  private final RankLane lane;
  private final WindowSpec spec;
  private final WindowChecks checks;
  private final WindowRequests requests;
  private final SlotSums sums;

  RankSignals(
      WindowSpec spec, RankLane lane, WindowChecks checks, WindowRequests requests, SlotSums sums) {
    this.spec = spec;
    this.lane = lane;
    this.checks = checks;
    this.requests = requests;
    this.sums = sums;
  }

  void signal(int peer, int id, long value) {
    checks.slot("signal", peer, id, spec.signals());
    checks.own(SlotLanes.Use.SIGNAL, peer, id);
    sums.requireSignals(spec.name(), peer, id);
    // One fence orders the puts to every peer, so it is issued only where one is needed.
    boolean after = lane.unfenced.get(peer);
    if (after) {
      lane.unfenced.clear();
    }
    LaneOperation operation = after ? LaneOperation.SIGNAL_AFTER_PUTS : LaneOperation.SIGNAL;
    LaneReply ignored =
        requests.ask(LaneRequest.slot(operation, peer, id, sums.signalled(peer, id, value)));
  }

  long value(int source, int id) {
    checks.slot("signal", source, id, spec.signals());
    return requests.ask(LaneRequest.slot(LaneOperation.LOOK, source, id, 0)).value();
  }

  void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    checks.slot("signal", source, id, spec.signals());
    LaneOperation operation = LaneOperation.comparing("AWAIT", comparison);
    LaneRequest wait = LaneRequest.waiting(operation, source, id, value, lane.nanos(deadline));
    if (requests.ask(wait).timedOut()) {
      throw new TimeoutException(
          WindowErrors.noSignal(
              spec.name(), lane.rank, source, id, value(source, id), comparison, value));
    }
  }

  void awaitSum(int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException {
    checks.open();
    checks.index("signal", id, spec.signals());
    checks.ranks(Team.all(lane.world));
    LaneOperation operation = LaneOperation.comparing("SUM", comparison);
    LaneRequest wait = LaneRequest.waiting(operation, 0, id, value, lane.nanos(deadline));
    if (requests.ask(wait).timedOut()) {
      Map<Integer, Long> seen = new TreeMap<>();
      Team.all(lane.world).peersOf(lane.rank).forEach(p -> seen.put(p, value(p, id)));
      throw new TimeoutException(
          WindowErrors.noSum(spec.name(), lane.rank, id, seen, comparison, value));
    }
  }
}
