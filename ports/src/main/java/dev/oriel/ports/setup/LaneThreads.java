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

/**
 * Runs the lanes of one rank as threads: lane 0 on the calling thread, the others on the
 * executor's.
 */
final class LaneThreads {
  private final int rank;

  /** Whether lanes of this rank are running. */
  private final AtomicBoolean atWork = new AtomicBoolean();

  LaneThreads(int rank) {
    this.rank = rank;
  }

  /**
   * Implements {@link dev.oriel.ports.Communicator#lanes}.
   *
   * @param lanes the handle that the code gets for each lane
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
    // If a lane gets no thread, lanes that have one still run to their end before this returns.
    Optional<Throwable> refused =
        LaneFailures.of(() -> {
          for (int number = 1; number < count; number++) {
            Lane lane = lanes.apply(number);
            others.add(CompletableFuture.supplyAsync(() -> failure(code, lane), threads));
          }
        });
    List<Optional<Throwable>> failures = new ArrayList<>();
    failures.add(refused.isPresent() ? refused : failure(code, lanes.apply(0)));
    // Joining is not interruptible: a lane's own waits end.
    others.forEach(other -> failures.add(other.join()));
    LaneFailures.rethrow(failures);
  }

  private static Optional<Throwable> failure(Lane.Code code, Lane lane) {
    return LaneFailures.of(() -> code.run(lane));
  }
}
