package dev.oriel.ports.contract;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static dev.oriel.domain.window.Comparison.LT;
import static dev.oriel.domain.window.Comparison.NE;
import static dev.oriel.domain.window.Comparison.REACHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Window} must do among ranks that run at once. */
public abstract class WindowContract extends WorldFixture {
  /** What an implementation may be unable to do. */
  public enum Capability {
    /** Ends a wait when its thread is interrupted. */
    INTERRUPTION
  }

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(80);

  private final Set<Capability> lacking;

  /** A suite for an implementation that lacks the named capabilities. */
  protected WindowContract(Set<Capability> lacking) {
    this.lacking = lacking;
  }

  /** What one rank does with a window. */
  @FunctionalInterface
  private interface Part {
    void run(Communicator self, Window window) throws Exception;
  }

  private static WindowSpec spec(DataSizes sizes) {
    return WindowSpec.named("w").withData(sizes).withSignals(4).withBarriers(3);
  }

  private void among(int world, DataSizes sizes, Part part) {
    List<Throwable> failures =
        inWorld(
            world,
            c -> {
              try (Window window = c.window(spec(sizes))) {
                // All come to the end of the window, also one that has failed.
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

  /** Rank r has 64 r bytes, rank 0 none. */
  private static DataSizes uneven(int world) {
    return DataSizes.perRank(LongStream.range(0, world).map(r -> 64 * r).toArray());
  }

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 11 + seed);
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void everyRankPutsIntoEveryOther(int world) {
    among(
        world,
        DataSizes.uniform(64L * (world + 1)),
        (self, window) -> {
          window.write(64L * world, bytes(64, self.rank()));
          for (int peer = 0; peer < world; peer++) {
            window.put(peer, 64L * self.rank(), 64L * world, 64);
          }
          window.barrier(0, LONG);
          for (int source = 0; source < world; source++) {
            assertThat(window.read(64L * source, 64)).isEqualTo(bytes(64, source));
          }
        });
  }

  @Test
  void everyRankGetsFromEveryOtherWhateverTheSizes() {
    among(
        4,
        uneven(4),
        (self, window) -> {
          int rank = self.rank();
          window.write(0, bytes(64 * rank, rank));
          window.barrier(0, LONG);
          assertThat(window.bytes(3)).isEqualTo(192);
          assertThat(window.bytes(0)).isZero();
          if (rank == 1) {
            window.get(3, 130, 1, 62);
            window.flush(3, LONG);
            assertThat(window.read(1, 62)).isEqualTo(Arrays.copyOfRange(bytes(192, 3), 130, 192));
          }
          window.barrier(0, LONG);
        });
  }

  @Test
  void boundsAreThoseOfTheOwner() {
    among(
        4,
        uneven(4),
        (self, window) -> {
          int rank = self.rank();
          window.write(0, bytes(64 * rank, rank));
          window.barrier(0, LONG);
          if (rank == 3) {
            refusedNaming("owner=1", () -> window.put(1, 0, 0, 65));
            refusedNaming("owner=1", () -> window.put(1, 64, 0, 1));
            refused(() -> window.put(0, 0, 0, 1));
            refused(() -> window.put(1, -1, 0, 1));
            refused(() -> window.put(1, Long.MAX_VALUE, 0, 1));
            refusedNaming("owner=2", () -> window.get(2, 100, 0, 29));
            refused(() -> window.put(1, 0, 0, -1));
            window.put(0, 0, 192, 0);
          } else if (rank == 1) {
            refused(() -> window.put(3, 0, 0, 65));
            refused(() -> window.get(3, 0, 1, 64));
            refused(() -> window.write(63, new byte[2]));
            refused(() -> window.read(0, 65));
            window.put(3, 128, 0, 64);
          }
          refused(() -> window.put(4, 0, 0, 0));
          refused(() -> window.bytes(-1));
          window.barrier(0, LONG);
          if (rank == 3) {
            assertThat(window.read(128, 64)).isEqualTo(bytes(64, 1));
            assertThat(window.read(0, 128)).isEqualTo(bytes(128, 3));
          } else {
            assertThat(window.read(0, 64 * rank)).isEqualTo(bytes(64 * rank, rank));
          }
        });
  }

  private static void refusedNaming(String owner, ThrowingCallable call) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(call)
        .withMessageContaining(owner);
  }

  private static void refused(ThrowingCallable call) {
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(call)
        .withMessageMatching("(?s).*=-?\\d+.*");
  }

  @Test
  void aSignalBringsThePutsBeforeIt() {
    int rounds = 500;
    among(
        2,
        DataSizes.uniform(512),
        (self, window) -> {
          int peer = 1 - self.rank();
          for (int round = 1; round <= rounds; round++) {
            if (self.rank() == 0) {
              window.write(0, bytes(256, round));
              window.put(peer, 256, 0, 256);
              window.signal(peer, 0, 1);
              window.await(peer, 1, EQ, round, LONG);
            } else {
              window.await(peer, 0, EQ, round, LONG);
              assertThat(window.read(256, 256)).isEqualTo(bytes(256, round));
              window.signal(peer, 1, 1);
            }
          }
        });
  }

  @Test
  void aLoudPeerDoesNotStandInForASilentOne() {
    among(
        3,
        DataSizes.NONE,
        (self, window) -> {
          if (self.rank() == 1) {
            for (int i = 0; i < 100; i++) {
              window.signal(0, 2, 1);
            }
          }
          window.barrier(0, LONG);
          if (self.rank() == 0) {
            window.await(1, 2, EQ, 100, LONG);
            assertThat(window.signalValue(2, 2)).isZero();
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> window.await(2, 2, GE, 1, SHORT))
                .withMessageContainingAll("source=2", "id=2", "value=0", "GE 1");
            assertThat(window.signalValue(1, 1)).isZero();
          } else {
            assertThat(window.signalValue(0, 2)).isZero();
          }
        });
  }

  @Test
  void aTimeoutLeavesTheWindowUsable() {
    among(
        2,
        DataSizes.NONE,
        (self, window) -> {
          if (self.rank() == 0) {
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> window.await(1, 0, GE, 1, SHORT));
          }
          window.barrier(0, LONG);
          if (self.rank() == 1) {
            window.signal(0, 0, 1);
          } else {
            window.await(1, 0, GE, 1, LONG);
            window.await(1, 0, NE, 0, LONG);
            window.await(1, 0, LT, 2, LONG);
          }
        });
  }

  @Test
  void countsWrapAndReachedStillHolds() {
    among(
        2,
        DataSizes.NONE,
        (self, window) -> {
          if (self.rank() == 1) {
            window.signal(0, 0, -3);
            window.barrier(0, LONG);
            window.barrier(0, LONG);
            window.signal(0, 0, 5);
          } else {
            window.barrier(0, LONG);
            assertThat(window.signalValue(1, 0)).isEqualTo(-3);
            window.await(1, 0, REACHED, -4, LONG);
            window.await(1, 0, REACHED, -3, LONG);
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> window.await(1, 0, REACHED, 1, SHORT))
                .withMessageContaining("18446744073709551613");
            window.barrier(0, LONG);
            window.await(1, 0, REACHED, 1, LONG);
            window.await(1, 0, EQ, 2, LONG);
            window.await(1, 0, REACHED, -3, LONG);
          }
        });
  }

  @Test
  void noRankPassesABarrierBeforeAllHaveCome() {
    AtomicIntegerArray entered = new AtomicIntegerArray(4);
    among(
        4,
        DataSizes.NONE,
        (self, window) -> {
          for (int round = 1; round <= 200; round++) {
            entered.set(self.rank(), round);
            window.barrier(round % 2, LONG);
            for (int peer = 0; peer < 4; peer++) {
              assertThat(entered.get(peer)).isGreaterThanOrEqualTo(round);
            }
          }
        });
  }

  @Test
  void barrierIdsAreIndependent() {
    among(
        2,
        DataSizes.NONE,
        (self, window) -> {
          if (self.rank() == 0) {
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> window.barrier(0, SHORT))
                .withMessageContainingAll("id=0", "missing=[1]");
            window.barrier(1, LONG);
            window.barrier(0, LONG);
          } else {
            window.barrier(1, LONG);
            window.barrier(0, LONG);
          }
          window.barrier(2, LONG);
        });
  }

  @Test
  void aRoundThatTimedOutIsTakenUpAgain() {
    among(
        3,
        DataSizes.NONE,
        (self, window) -> {
          if (self.rank() != 1) {
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> window.barrier(0, SHORT))
                .withMessageContainingAll("1");
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> window.barrier(0, SHORT));
            window.barrier(1, LONG);
          } else {
            window.barrier(1, LONG);
          }
          window.barrier(0, LONG);
          if (self.rank() == 1) {
            assertThatExceptionOfType(TimeoutException.class)
                .as("what came late did not arrive twice")
                .isThrownBy(() -> window.barrier(0, SHORT));
            window.signal(0, 0, 1);
            window.signal(2, 0, 1);
          } else {
            window.await(1, 0, GE, 1, LONG);
          }
          window.barrier(0, LONG);
        });
  }

  @Test
  void teamsMeetWithoutTheOthers() {
    among(
        3,
        DataSizes.uniform(8),
        (self, window) -> {
          Team pair = Team.of(0, 2);
          if (self.rank() != 1) {
            for (int i = 0; i < 50; i++) {
              window.barrier(0, pair, LONG);
            }
            assertThatIllegalArgumentException().isThrownBy(() -> window.barrier(0, LONG));
          } else {
            assertThatIllegalArgumentException().isThrownBy(() -> window.barrier(0, pair, LONG));
          }
          window.barrier(1, LONG);
        });
  }

  @Test
  void aBarrierIsNoSignal() {
    among(
        2,
        DataSizes.NONE,
        (self, window) -> {
          window.barrier(0, LONG);
          for (int id = 0; id < 4; id++) {
            assertThat(window.signalValue(1 - self.rank(), id)).isZero();
          }
          window.barrier(0, LONG);
        });
  }

  @Test
  void ranksIdsAndDeadlinesAreChecked() {
    among(
        2,
        DataSizes.uniform(8),
        (self, window) -> {
          int peer = 1 - self.rank();
          refused(() -> window.signal(peer, 4, 1));
          refused(() -> window.signal(2, 0, 1));
          refused(() -> window.signalValue(peer, -1));
          refused(() -> window.await(peer, 4, GE, 0, LONG));
          refused(() -> window.barrier(3, LONG));
          refused(() -> window.flush(2, LONG));
          int self1 = self.rank();
          assertThatIllegalArgumentException().isThrownBy(() -> window.signal(self1, 0, 1));
          assertThatIllegalArgumentException().isThrownBy(() -> window.signalValue(self1, 0));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.await(self1, 0, GE, 0, LONG));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.await(peer, 0, GE, 0, Duration.ZERO));
          assertThatIllegalArgumentException().isThrownBy(() -> window.flush(peer, Duration.ZERO));
          window.await(peer, 0, GE, 0, Duration.ofSeconds(Long.MAX_VALUE));
        });
  }

  @Test
  void anInterruptedRankSaysSo() {
    assumeTrue(!lacking.contains(Capability.INTERRUPTION), "the implementation lacks INTERRUPTION");
    among(
        2,
        DataSizes.NONE,
        (self, window) -> {
          if (self.rank() == 0) {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(MachineException.class)
                .isThrownBy(() -> window.await(1, 0, GE, 1, LONG))
                .withMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
          }
        });
  }

  @Test
  void aClosedWindowRefuses() {
    inWorld(
        2,
        c -> {
          Window window = c.window(spec(DataSizes.uniform(8)));
          window.close();
          List<ThrowingCallable> calls =
              List.of(
                  () -> window.write(0, new byte[1]),
                  () -> window.read(0, 1),
                  () -> window.put(1 - c.rank(), 0, 0, 1),
                  () -> window.signal(1 - c.rank(), 0, 1),
                  () -> window.await(1 - c.rank(), 0, GE, 0, LONG),
                  () -> window.flush(1 - c.rank(), LONG),
                  () -> window.barrier(0, LONG));
          assertThat(calls)
              .allSatisfy(call ->
                  assertThatExceptionOfType(MachineException.class)
                      .isThrownBy(call)
                      .withMessageContaining("closed"));
          return c;
        });
  }

  @Test
  void nothingIsFreedBeforeAllHaveLeft() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(spec(DataSizes.uniform(1 << 16)))) {
            if (c.rank() == 0) {
              for (int i = 0; i < 1000; i++) {
                window.put(1, 0, 0, 1 << 16);
                window.signal(1, 0, 1);
              }
            }
          }
          return c;
        });
  }
}
