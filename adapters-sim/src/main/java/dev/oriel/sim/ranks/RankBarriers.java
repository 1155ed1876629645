package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.ports.setup.WindowErrors;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** The barriers of a window, as one lane arrives at them. */
final class RankBarriers {
  private final String window;
  private final int firstId;
  private final RankGroup group;
  private final Topology topology;
  private final UnaryOperator<LaneRequest> describe;
  private final Map<Integer, Round> rounds = new HashMap<>();

  /**
   * The latest round of a barrier.
   *
   * @param number from 1
   * @param arrived whether this rank has signalled its arrival to the others
   * @param open whether this rank still waits in it
   * @param split whether this rank arrived and waited in separate calls
   * @param confirms whether it confirms that the previous round was passed
   */
  private record Round(
      Team team, long number, boolean arrived, boolean open, boolean split, boolean confirms) {
    Round signalled() {
      return new Round(team, number, true, true, split, confirms);
    }

    Round left() {
      return new Round(team, number, true, false, split, confirms);
    }

    Round next() {
      return new Round(team, number + 1, false, true, false, false);
    }

    Round confirmation() {
      return new Round(team, number + 1, false, true, split, true);
    }

    Round apart() {
      return new Round(team, number, arrived, open, true, confirms);
    }
  }

  /**
   * The barriers at which the lane of a group arrives.
   *
   * @param describe gives a request the text that reports show
   */
  RankBarriers(
      String window,
      int firstId,
      RankGroup group,
      Topology topology,
      UnaryOperator<LaneRequest> describe) {
    this.window = window;
    this.firstId = firstId;
    this.group = group;
    this.topology = topology;
    this.describe = describe;
  }

  void barrier(int id, Team team, Duration deadline) throws TimeoutException {
    long nanos = group.lane.nanos(deadline);
    Round round = arrived(id, team, nanos);
    if (!round.confirms()) {
      awaitAll(id, round, nanos);
    }
    if (!round.confirms() && overRdma(team)) {
      rounds.put(id, round.confirmation());
      round = arrived(id, team, nanos);
    }
    if (round.confirms() && !round.split()) {
      awaitAll(id, round, nanos);
    }
    rounds.put(id, round.left());
  }

  private void awaitAll(int id, Round round, long nanos) throws TimeoutException {
    for (int peer : round.team().peersOf(group.lane.rank).toArray()) {
      if (meets(LaneRequest.waiting(LaneOperation.MEET, peer, id, round.number(), nanos))
          .timedOut()) {
        throw late(id, round);
      }
    }
  }

  /**
   * Whether some members reach each other over RDMA. A rank's await of the writer makes an
   * interface's write visible to third ranks' reads and to interfaces. Members therefore confirm in
   * a second round that they have awaited all others. A rank whose arrival was a separate call has
   * awaited no other by then, so it does not wait for confirmations.
   */
  private boolean overRdma(Team team) {
    return team.stream()
        .anyMatch(a -> team.stream().anyMatch(b -> topology.kind(a, b) == PeerKind.RDMA));
  }

  void arrive(int id, Team team, Duration deadline) throws TimeoutException {
    Round came = arrived(id, team, group.lane.nanos(deadline));
    rounds.put(id, came.apart());
  }

  private Round arrived(int id, Team team, long nanos) throws TimeoutException {
    Round round = enter(id, team);
    rounds.put(id, round);
    if (round.arrived()) {
      return round;
    }
    LaneRequest quiet =
        LaneRequest.waiting(LaneOperation.QUIET, group.lane.rank, id, round.number(), nanos);
    if (!round.confirms() && meets(quiet).timedOut()) {
      throw late(id, round);
    }
    for (int peer : team.peersOf(group.lane.rank).toArray()) {
      LaneReply ignored = meets(LaneRequest.slot(LaneOperation.ARRIVE, peer, id, round.number()));
    }
    rounds.put(id, round.signalled());
    return round.signalled();
  }

  private LaneReply meets(LaneRequest request) {
    return group.ask(describe.apply(request).moved(0, 0, firstId));
  }

  /** The round that this rank is in: the one that a timeout left open, or the next. */
  private Round enter(int id, Team team) {
    int ignored = team.indexOf(group.lane.rank);
    Round last = rounds.getOrDefault(id, new Round(team, 0, true, false, false, false));
    if (!last.team().equals(team)) {
      throw WindowErrors.otherTeam(window, id, team, last.team());
    }
    return last.open() ? last : last.next();
  }

  private TimeoutException late(int id, Round round) {
    List<Integer> missing =
        round
            .team()
            .peersOf(group.lane.rank)
            .filter(peer ->
                meets(LaneRequest.slot(LaneOperation.LOOK_MEET, peer, id, round.number())).value()
                        - round.number()
                    < 0)
            .boxed()
            .toList();
    return new TimeoutException(
        WindowErrors.notAll(window, group.lane.rank, id, round.number(), missing));
  }
}
