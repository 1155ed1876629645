package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.LaneFailures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

/** Lanes of a rank, which take turns at its queues. */
final class VerbsLanes {
  private VerbsLanes() {}

  /** A lane as the code in it sees it. */
  private record InLane(int number, VerbsFabric rank) implements Lane {

    @Override
    public Window window(Window window) {
      if (window instanceof VerbsWindow own && own.memory().of(rank)) {
        return own.in(number);
      }
      throw foreign(window);
    }

    @Override
    public LocalBuffer buffer(LocalBuffer buffer) {
      if (buffer instanceof Window window) {
        return window(window);
      }
      if (buffer instanceof VerbsBuffer own && own.memory().of(rank)) {
        return own;
      }
      throw foreign(buffer);
    }

    private static IllegalArgumentException foreign(LocalBuffer buffer) {
      return new IllegalArgumentException(
          "buffer of another rank: class=%s; pass a window or buffer of this rank"
              .formatted(buffer.getClass().getSimpleName()));
    }
  }

  static void run(VerbsFabric rank, int count, Executor threads, Lane.Code code)
      throws TimeoutException {
    LaneFailures.requireCount(count);
    List<CompletableFuture<Optional<Throwable>>> others = new ArrayList<>();
    // Where one gets no thread, those that have theirs still come to their end before this returns.
    Optional<Throwable> refused =
        LaneFailures.of(() -> {
          for (int number = 1; number < count; number++) {
            Lane lane = new InLane(number, rank);
            others.add(CompletableFuture.supplyAsync(() -> failure(code, lane), threads));
          }
        });
    List<Optional<Throwable>> failures = new ArrayList<>();
    failures.add(refused.isPresent() ? refused : failure(code, new InLane(0, rank)));
    others.forEach(other -> failures.add(other.join()));
    LaneFailures.rethrow(failures);
  }

  private static Optional<Throwable> failure(Lane.Code code, Lane lane) {
    return LaneFailures.of(() -> code.run(lane));
  }
}
