package dev.oriel.ports.contract;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The common parts of a {@link PersistentContract}'s suites: calls over a window on every rank. */
interface PersistentSuite {
  Duration LONG = Duration.ofSeconds(20);
  Duration SHORT = Duration.ofMillis(80);

  /** Two ranges of 64 bytes are at the front, then the source; the control bytes come after it. */
  long FROM = 128;

  CallSpec SPEC = new CallSpec(192, 0, 3, 0);

  /** A signal of the tests. */
  int OWN = SPEC.signalCount();

  WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(384)).withSignals(OWN + 1).withBarriers(1);

  WindowRegion FIRST = new WindowRegion("w", 0, 64);
  WindowRegion SECOND = new WindowRegion("w", 64, 64);

  /** The actions of one rank. */
  @FunctionalInterface
  interface Part {
    void run(CallingRank rank) throws Exception;
  }

  /** The collective of the calls. */
  ExchangePattern exchange();

  /** A rank that calls over that window. */
  CallingRank rank(Window window, PersistentCalls calls);

  /** Calls over that window. */
  PersistentCalls over(Window window, CallSpec spec) throws TimeoutException;

  /** The results of {@code task} on every rank of a new world. */
  <T> List<T> inWorld(int world, RankThreads.Task<Communicator, T> task);

  default void among(int world, Part part) {
    among(world, DataSizes.uniform(384), part);
  }

  default void among(int world, DataSizes sizes, Part part) {
    List<Throwable> failures =
        inWorld(
                world,
                c -> {
                  try (Window window = c.window(WINDOW.withData(sizes));
                      PersistentCalls calls = over(window, SPEC)) {
                    List<Throwable> failed = new ArrayList<>();
                    try {
                      window.barrier(0, LONG);
                      part.run(rank(window, calls));
                    } catch (Exception | AssertionError e) {
                      failed.add(e);
                    }
                    return failed;
                  }
                })
            .stream()
            .flatMap(List::stream)
            .toList();
    if (!failures.isEmpty()) {
      throw new AssertionError("a rank failed: " + failures.getFirst(), failures.getFirst());
    }
  }
}
