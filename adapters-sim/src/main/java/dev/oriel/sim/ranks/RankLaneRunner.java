package dev.oriel.sim.ranks;

import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.LaneFailures;
import dev.oriel.ports.setup.WindowErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/** Runs the lanes of a rank concurrently and waits for them. */
final class RankLaneRunner {
  private RankLaneRunner() {}

  /** A lane as its code sees it. */
  private record InLane(RankLane lane) implements Lane {

    @Override
    public int number() {
      return lane.number;
    }

    @Override
    public Window window(Window window) {
      if (window instanceof RankWindow own && own.lane().memory == lane.memory) {
        return own.in(lane);
      }
      throw WindowErrors.otherBuffer(window);
    }

    @Override
    public LocalBuffer buffer(LocalBuffer buffer) {
      if (buffer instanceof RankBuffer own && own.lane().memory == lane.memory) {
        return own.in(lane);
      }
      if (buffer instanceof Window window) {
        return window(window);
      }
      throw WindowErrors.otherBuffer(buffer);
    }
  }

  static void run(RankLane main, int count, Executor threads, Lane.Code code)
      throws TimeoutException {
    if (main.forked) {
      throw WindowErrors.lanesWithin(main.rank);
    }
    LaneFailures.requireCount(count);
    if (count > main.sides.size() + 1) {
      throw MachineException.lacking(
          "not enough lanes: rank=%d, lanes=%d, arena=%d; give the arena more"
              .formatted(main.rank, count, main.sides.size() + 1));
    }
    main.forked = true;
    try {
      together(main, main.sides.subList(0, count - 1), threads, code);
    } finally {
      main.forked = false;
    }
  }

  private static void together(
      RankLane main, List<SecondaryLane> sides, Executor threads, Lane.Code code)
      throws TimeoutException {
    main.residents.begin();
    for (SecondaryLane side : sides) {
      side.take(new SecondaryLane.Task(threads, lane -> code.run(new InLane(lane))));
      ask(main, main.residents.begin(side));
    }
    List<Optional<Throwable>> failures = new ArrayList<>();
    failures.add(LaneFailures.of(() -> code.run(new InLane(main))));
    ask(main, main.residents.end());
    for (SecondaryLane side : sides) {
      LaneReply ignored = main.ask(side.awaitEnd());
      failures.add(side.failure().or(() -> late(main, side)));
    }
    failures.add(drain(main));
    LaneFailures.rethrow(failures);
  }

  private static void ask(RankLane main, Optional<LaneRequest> request) {
    if (request.isPresent()) {
      LaneReply ignored = main.ask(request.get());
    }
  }

  private static Optional<Throwable> late(RankLane main, SecondaryLane side) {
    return side.late() ? Optional.of(late(main)) : Optional.empty();
  }

  private static TimeoutException late(RankLane lane) {
    return new TimeoutException(
        "transfers of a lane not complete: rank=%d; see which peer does not answer"
            .formatted(lane.rank));
  }

  private static Optional<Throwable> drain(RankLane main) {
    long nanos = WindowForm.TIMEOUT.toNanos();
    LaneRequest drain = LaneRequest.waiting(LaneOperation.DRAIN, main.rank, 0, 0, nanos);
    if (main.ask(drain.at("lane ends its transfers")).timedOut()) {
      return Optional.of(late(main));
    }
    main.drained();
    return Optional.empty();
  }

  /** Ends the rank's other lanes, because its own code has completed. */
  static void end(RankLane main) {
    for (SecondaryLane side : main.sides) {
      side.take(null);
      LaneReply ignored = main.ask(side.startSignal());
    }
  }
}
