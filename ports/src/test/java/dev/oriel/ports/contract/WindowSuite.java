package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.WindowContract.Capability;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The common parts of a {@link WindowContract}'s suites: a window on every rank of a world. */
interface WindowSuite {
  Duration LONG = Duration.ofSeconds(20);
  Duration SHORT = Duration.ofMillis(80);

  /** The actions of one rank with a window. */
  @FunctionalInterface
  interface Part {
    void run(Communicator self, Window window) throws Exception;
  }

  /** Enough bytes to take a while to arrive. */
  int large();

  /** Whether the implementation lacks that ability. */
  boolean lacks(Capability capability);

  /** The results of {@code task} on every rank of a new world. */
  <T> List<T> inWorld(int world, RankThreads.Task<Communicator, T> task);

  default void among(int world, DataSizes sizes, Part part) {
    List<Throwable> failures =
        inWorld(
            world,
            c -> {
              try (Window window = c.window(spec(sizes))) {
                // All ranks close the window, including one that has failed.
                Throwable failure = catchThrowable(() -> part.run(c, window));
                return failure == null ? new Throwable("fine") : failure;
              }
            });
    for (Throwable failure : failures) {
      if (!"fine".equals(failure.getMessage())) {
        throw new AssertionError("rank " + failures.indexOf(failure) + ": " + failure, failure);
      }
    }
  }

  static WindowSpec spec(DataSizes sizes) {
    return WindowSpec.named("w").withData(sizes).withSignals(4).withCounters(2).withBarriers(3);
  }

  /** Rank r has 64 r bytes, rank 0 none. */
  static DataSizes uneven(int world) {
    return DataSizes.perRank(LongStream.range(0, world).map(r -> 64 * r).toArray());
  }

  static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 11 + seed);
    }
    return bytes;
  }

  static void refusedNaming(String owner, ThrowingCallable call) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(call)
        .withMessageContaining(owner);
  }

  static void refused(ThrowingCallable call) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(call)
        .withMessageMatching("(?s).*=-?\\d+.*");
  }
}
