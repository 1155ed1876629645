package dev.oriel.ports.setup;

import dev.oriel.ports.Lane;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;

/** The lanes of one rank, each a thread: lane 0 the calling one, the others lent. */
final class LaneThreads {
  private final int rank;

  /** Whether lanes of this rank are at work. */
  private final AtomicBoolean atWork = new AtomicBoolean();

  LaneThreads(int rank) {
    this.rank = rank;
  }

  /**
   * As {@link dev.oriel.ports.Communicator#lanes} says.
   *
   * @param lanes what the code sees of each
   */
  void run(int count, Executor threads, IntFunction<Lane> lanes, Lane.Code code)
      throws TimeoutException {
    LaneFailures.requireCount(count);
    if (!atWork.compareAndSet(false, true)) {
      throw WindowErrors.lanesWithin(rank);
    }
    try {
      all(count, threads, lanes, code);
    } finally {
      atWork.set(false);
    }
  }

  private static void all(int count, Executor threads, IntFunction<Lane> lanes, Lane.Code code)
      throws TimeoutException {
    List<CompletableFuture<Optional<Throwable>>> others = new ArrayList<>();
    // Where one gets no thread, those that have theirs still come to their end before this returns.
    Optional<Throwable> refused =
        LaneFailures.of(() -> {
          for (int number = 1; number < count; number++) {
            Lane lane = lanes.apply(number);
            others.add(CompletableFuture.supplyAsync(() -> failure(code, lane), threads));
          }
        });
    List<Optional<Throwable>> failures = new ArrayList<>();
    failures.add(refused.isPresent() ? refused : failure(code, lanes.apply(0)));
    // What is joined so is not interrupted: a lane's own waits end.
    others.forEach(other -> failures.add(other.join()));
    LaneFailures.rethrow(failures);
  }

  private static Optional<Throwable> failure(Lane.Code code, Lane lane) {
    return LaneFailures.of(() -> code.run(lane));
  }
}
