package dev.oriel.ports.setup;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Combines the failures of concurrent lanes into one. */
public final class LaneFailures {
  private LaneFailures() {}

  /** The code of a lane. */
  @FunctionalInterface
  public interface Body {
    void run() throws TimeoutException;
  }

  /** Rejects a number of lanes below 1. */
  public static void requireCount(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("no lanes: count=%d; run at least one".formatted(count));
    }
  }

  /** The failure of the body, if it fails. */
  public static Optional<Throwable> of(Body body) {
    try {
      body.run();
      return Optional.empty();
    } catch (TimeoutException | RuntimeException | Error e) {
      return Optional.of(e);
    }
  }

  /** Throws the failure of the lowest lane, with those of the others suppressed in it. */
  public static void rethrow(List<Optional<Throwable>> byLane) throws TimeoutException {
    @Nullable Throwable first = null;
    for (Optional<Throwable> failure : byLane) {
      if (first == null) {
        first = failure.orElse(null);
      } else {
        Throwable primary = first;
        failure.filter(other -> !other.equals(primary)).ifPresent(primary::addSuppressed);
      }
    }
    switch (first) {
      case null -> {
        // No lane failed.
      }
      case TimeoutException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException("a lane failed: " + first, first);
    }
  }
}
