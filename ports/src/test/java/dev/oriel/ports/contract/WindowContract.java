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

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.RemoteRange;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
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

  /** As many bytes as take a while to arrive. */
  protected int large() {
    return 1 << 16;
  }

  /** What one rank does with a window. */
  @FunctionalInterface
  private interface Part {
    void run(Communicator self, Window window) throws Exception;
  }

  private static WindowSpec spec(DataSizes sizes) {
    return WindowSpec.named("w").withData(sizes).withSignals(4).withCounters(2).withBarriers(3);
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
    among(
        4,
        DataSizes.uniform(80),
        (self, window) -> {
          for (int round = 1; round <= 200; round++) {
            // Nobody is two rounds ahead of anybody, so the bytes of the last one are left alone.
            long entered = 32L * (round % 2);
            long mine = 64 + 8L * (round % 2);
            window.write(mine, word(round));
            for (int peer = 0; peer < 4; peer++) {
              window.put(peer, entered + 8L * self.rank(), mine, 8);
            }
            window.barrier(round % 2, LONG);
            for (int peer = 0; peer < 4; peer++) {
              assertThat(window.read(entered + 8L * peer, 8)).isEqualTo(word(round));
            }
          }
        });
  }

  private static byte[] word(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
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
  void everyOtherRankIsSignalledAtOnceAndAwaitedAsASum() {
    among(
        4,
        DataSizes.uniform(8),
        (self, window) -> {
          int rank = self.rank();
          window.write(0, bytes(8, rank));
          window.signalAll(0, rank + 1);
          window.awaitSum(0, GE, 10 - (rank + 1), LONG);
          assertThat(window.signalSum(0)).isEqualTo(10 - (rank + 1));
          window.signal(Team.of(1, 3), 1, 1);
          if (rank == 1 || rank == 3) {
            window.awaitSum(1, EQ, 3, LONG);
          }
          assertThatExceptionOfType(TimeoutException.class)
              .isThrownBy(() -> window.awaitSum(2, GE, 1, SHORT))
              .withMessageContainingAll("id=2", "GE 1", (rank + 1) % 4 + "=0");
          refused(() -> window.awaitSum(4, GE, 0, LONG));
          window.barrier(0, LONG);
          if (rank == 0 || rank == 2) {
            assertThat(window.signalSum(1)).isZero();
          }
        });
  }

  @Test
  void aPutThatSignalsBringsItsBytes() {
    among(
        3,
        DataSizes.uniform(256),
        (self, window) -> {
          int rank = self.rank();
          int next = (rank + 1) % 3;
          window.write(0, bytes(64, rank));
          window.putSignal(next, 64, window, 0, 64, 1, 1);
          window.putSignal(next, 128, window, 0, 64, 1, 1);
          window.await((rank + 2) % 3, 1, EQ, 2, LONG);
          assertThat(window.read(64, 64)).isEqualTo(bytes(64, (rank + 2) % 3));
          assertThat(window.read(128, 64)).isEqualTo(bytes(64, (rank + 2) % 3));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.signal(next, 1, 1))
              .withMessageContaining("id=1");
          window.signal(next, 0, 1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.putSignal(next, 0, window, 0, 0, 0, 1))
              .withMessageContaining("id=0");
          refused(() -> window.putSignal(next, 193, window, 0, 64, 1, 1));
          window.barrier(0, LONG);
        });
  }

  @Test
  void aCounterSaysThatSourcesMayBeOverwritten() {
    among(
        3,
        DataSizes.uniform(256),
        (self, window) -> {
          int rank = self.rank();
          int next = (rank + 1) % 3;
          for (int round = 0; round < 3; round++) {
            window.write(0, bytes(32, rank + round));
            window.putCounted(next, 64 + 32L * round, window, 0, 32, 1);
            window.awaitCounter(next, 1, EQ, round + 1, LONG);
          }
          assertThat(window.counterValue(next, 1)).isEqualTo(3);
          assertThat(window.counterValue(next, 0)).isZero();
          assertThat(window.counterValue((rank + 2) % 3, 1)).isZero();
          assertThatExceptionOfType(TimeoutException.class)
              .isThrownBy(() -> window.awaitCounter(next, 1, GE, 4, SHORT))
              .withMessageContainingAll("peer=" + next, "id=1", "value=3", "GE 4");
          window.barrier(0, LONG);
          for (int round = 0; round < 3; round++) {
            assertThat(window.read(64 + 32L * round, 32))
                .isEqualTo(bytes(32, (rank + 2) % 3 + round));
          }
          refused(() -> window.putCounted(next, 0, window, 0, 1, 2));
          window.barrier(0, LONG);
        });
  }

  @Test
  void furtherBuffersAreSourcesAndTargets() {
    among(
        2,
        DataSizes.uniform(64),
        (self, window) -> {
          int peer = 1 - self.rank();
          try (LocalBuffer source = self.buffer(48);
              LocalBuffer target = self.buffer(16)) {
            assertThat(source.bytes()).isEqualTo(48);
            assertThat(target.read(0, 16)).containsOnly(0);
            source.write(16, bytes(32, self.rank()));
            window.put(peer, 0, source, 16, 32);
            window.barrier(0, LONG);
            assertThat(window.read(0, 32)).isEqualTo(bytes(32, peer));
            window.get(peer, 8, target, 0, 16);
            window.flush(peer, LONG);
            assertThat(target.read(0, 16))
                .isEqualTo(Arrays.copyOfRange(bytes(32, self.rank()), 8, 24));
            refused(() -> window.put(peer, 0, source, 40, 9));
            refused(() -> window.get(peer, 0, target, 0, 17));
            refused(() -> source.write(48, new byte[1]));
            assertThatExceptionOfType(MachineException.class).isThrownBy(self::close);
            window.barrier(0, LONG);
          }
        });
  }

  @Test
  void piecesLieWhereTheirOwnersSay() {
    among(
        3,
        DataSizes.perRank(96, 160, 32),
        (self, window) -> {
          int rank = self.rank();
          long[] places = {64, 8, 0};
          long[] sizes = {32, 24, 8};
          WindowView pieces = window.share(new Region("w", places[rank], sizes[rank]));
          try (LocalBuffer source = self.buffer(32)) {
            source.write(0, bytes(32, rank));
            for (int owner = 0; owner < 3; owner++) {
              RemoteRange piece = pieces.range(owner);
              assertThat(piece.size()).isEqualTo(sizes[owner]);
              if (owner == (rank + 1) % 3) {
                window.put(piece, 4, source, 0, 4);
                refused(() -> window.put(piece, 1, source, 0, piece.size()));
              }
            }
            window.barrier(0, LONG);
            assertThat(window.read(places[rank] + 4, 4))
                .isEqualTo(Arrays.copyOf(bytes(32, (rank + 2) % 3), 4));
            RemoteRange last = pieces.range((rank + 2) % 3);
            window.get(last, 4, source, 28, 4);
            window.flush(last.owner(), LONG);
            assertThat(source.read(28, 4)).isEqualTo(Arrays.copyOf(bytes(32, (rank + 1) % 3), 4));
            window.barrier(0, LONG);
          }
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> window.share(new Region("w", 0, rank == 1 ? 161 : 1)))
              .withMessageContainingAll("rank=1", "161");
          window.barrier(0, LONG);
        });
  }

  @Test
  void addressesOfAClosedWindowAreRefused() {
    inWorld(
        2,
        c -> {
          int peer = 1 - c.rank();
          Window first = c.window(spec(DataSizes.uniform(32)));
          RemoteRange old = first.view().range(peer);
          first.put(old, 0, first, 8, 8);
          first.close();
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> first.put(old, 0, first, 8, 8))
              .withMessageContaining("generation=" + first.generation());
          try (Window second = c.window(spec(DataSizes.uniform(32)))) {
            assertThat(second.generation()).isNotEqualTo(first.generation());
            assertThatIllegalArgumentException()
                .isThrownBy(() -> second.put(old, 0, second, 8, 8))
                .withMessageContainingAll(
                    "generation", "held=" + first.generation(), "current=" + second.generation());
            assertThatIllegalArgumentException()
                .isThrownBy(() -> second.get(old, 0, second, 8, 8))
                .withMessageContaining("generation");
            assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> second.put(peer, 0, first, 0, 8));
            second.put(second.view().range(peer), 0, second, 8, 8);
            second.barrier(0, LONG);
          }
          return c;
        });
  }

  @Test
  void arrivingAndWaitingMayBeApart() {
    among(
        3,
        DataSizes.uniform(64),
        (self, window) -> {
          int rank = self.rank();
          int next = (rank + 1) % 3;
          Team all = Team.all(3);
          for (int round = 0; round < 4; round++) {
            window.write(0, bytes(16, rank + round));
            window.put(next, 16, 0, 16);
            window.arrive(0, all, LONG);
            window.arrive(0, all, LONG);
            window.write(48, bytes(16, round));
            window.barrier(0, all, LONG);
            assertThat(window.read(16, 16)).isEqualTo(bytes(16, (rank + 2) % 3 + round));
            window.barrier(1, LONG);
          }
          if (rank == 0) {
            assertThatExceptionOfType(TimeoutException.class)
                .as("one arrival is one round")
                .isThrownBy(() -> window.barrier(0, all, SHORT))
                .withMessageContaining("missing=[1, 2]");
          } else {
            window.signal(0, 3, 1);
          }
          if (rank == 0) {
            window.awaitSum(3, EQ, 2, LONG);
          }
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.arrive(2, Team.of((rank + 1) % 3), LONG));
          window.barrier(1, LONG);
          window.barrier(0, LONG);
        });
  }

  @Test
  void eachPairMeetsByItself() {
    among(
        3,
        DataSizes.NONE,
        (self, window) -> {
          int rank = self.rank();
          for (int round = 0; round < 20; round++) {
            // Pair i joins i and i + 1: everybody is in two of them, and comes to both first.
            Team mine = Team.of(rank, (rank + 1) % 3);
            Team other = Team.of((rank + 2) % 3, rank);
            window.arrive(rank, mine, LONG);
            window.arrive((rank + 2) % 3, other, LONG);
            window.barrier(rank, mine, LONG);
            window.barrier((rank + 2) % 3, other, LONG);
          }
        });
  }

  @Test
  void windowsSideBySideAreClosedInAnyOrder() {
    inWorld(
        3,
        c -> {
          int next = (c.rank() + 1) % 3;
          int last = (c.rank() + 2) % 3;
          Window one = c.window(spec(DataSizes.uniform(64)));
          Window two = c.window(WindowSpec.named("x").withData(DataSizes.perRank(64, 80, 96)));
          Window three = c.window(WindowSpec.named("y").withData(DataSizes.uniform(16)));
          two.write(0, bytes(32, c.rank()));
          three.put(next, 0, two, 0, 16);
          two.put(next, 32, two, 0, 32);
          one.signal(next, 0, 1);
          one.await(last, 0, GE, 1, LONG);
          assertThat(two.read(32, 32)).isEqualTo(bytes(32, last));
          assertThat(three.read(0, 16)).isEqualTo(Arrays.copyOf(bytes(32, last), 16));
          two.close();
          one.barrier(0, LONG);
          Window four = c.window(WindowSpec.named("x").withData(DataSizes.uniform(64)));
          assertThat(four.read(0, 64)).containsOnly(0);
          one.put(next, 0, four, 0, 32);
          one.close();
          four.close();
          three.close();
          return c;
        });
  }

  /** A ring over RDMA needs two peers of each rank; who was not asked for is refused by name. */
  @Test
  void aWindowLeadsToThePeersThatWereNamed() {
    inWorld(
        5,
        c -> {
          int next = (c.rank() + 1) % 5;
          int last = (c.rank() + 4) % 5;
          try (Window window = c.window(spec(DataSizes.uniform(32)), Team.of(next, last))) {
            window.write(0, bytes(8, c.rank()));
            window.put(next, 16, 0, 8);
            window.signal(next, 0, 1);
            window.await(last, 0, EQ, 1, LONG);
            assertThat(window.read(16, 8)).isEqualTo(bytes(8, last));
            int far = (c.rank() + 2) % 5;
            assertThat(window.bytes(far)).isEqualTo(32);
            if (c.topology().kind(c.rank(), far) == PeerKind.RDMA) {
              List<ThrowingCallable> calls =
                  List.of(
                      () -> window.put(far, 0, 0, 8),
                      () -> window.get(far, 0, 0, 8),
                      () -> window.signal(far, 0, 1),
                      () -> window.await(far, 0, EQ, 1, LONG),
                      () -> window.flush(far, LONG),
                      () -> window.barrier(0, LONG));
              assertThat(calls)
                  .allSatisfy(call ->
                      assertThatExceptionOfType(MachineException.class)
                          .isThrownBy(call)
                          .withMessageContainingAll("not connected", "rank=" + c.rank(), "peer="));
            } else {
              window.get(far, 24, 8, 8);
              window.flush(far, LONG);
            }
          }
          try (Window window = c.window(spec(DataSizes.uniform(32)))) {
            window.barrier(0, LONG);
          }
          return c;
        });
  }

  @Test
  void whoNamesARankThatDoesNotNameItFailsTheWindowOnAll() {
    List<String> messages =
        inWorld(
            4,
            c -> {
              Team all = Team.all(4);
              Team fewer = c.rank() == 3 ? Team.of(0, 2) : all;
              boolean far = c.topology().kind(1, 3) == PeerKind.RDMA;
              if (!far) {
                c.window(spec(DataSizes.uniform(8)), fewer).close();
                return "fine";
              }
              Throwable failure = catchThrowable(() -> c.window(spec(DataSizes.uniform(8)), fewer));
              assertThat(failure).isInstanceOf(MachineException.class);
              c.window(spec(DataSizes.uniform(8)), all).close();
              return String.valueOf(failure.getMessage());
            });
    assertThat(messages).containsOnly(messages.getFirst());
    if (!messages.getFirst().equals("fine")) {
      assertThat(messages.getFirst()).contains("rank=1", "peer=3");
    }
  }

  /** Every rank passes a message on that is longer than the ring, twice, through other tiles. */
  @Test
  void aChannelCarriesMessagesFromRankToRank() {
    ChannelSpec ring = new ChannelSpec(0, 32, 3, 0, 1, 0);
    among(
        3,
        DataSizes.uniform(512),
        (self, window) -> {
          int rank = self.rank();
          Sender next = new Sender(window, (rank + 1) % 3, ring);
          Receiver last = new Receiver(window, (rank + 2) % 3, ring);
          for (int length : new int[] {200, 77}) {
            if (rank == 0) {
              window.write(96, bytes(length, length));
              next.send(window, 96, length).finish(LONG);
            } else if (rank == 1) {
              last.forward(window, 96, length, next).finish(LONG);
            } else {
              last.receive(window, 96, length).finish(LONG);
            }
            assertThat(window.read(96, length)).isEqualTo(bytes(length, length));
          }
        });
  }

  @Test
  void anAbortEndsEveryWaitWithTheSameCause() {
    List<Abort> causes =
        inWorld(
            4,
            c -> {
              try (Window window = c.window(spec(DataSizes.uniform(8)))) {
                assertThat(c.aborted()).isEmpty();
                if (c.rank() != 2) {
                  window.signal(2, 1, 1);
                }
                Throwable ended =
                    switch (c.rank()) {
                      case 0 -> catchThrowable(() -> window.await(2, 0, GE, 1, LONG));
                      case 1 -> catchThrowable(() -> window.barrier(0, LONG));
                      case 3 -> catchThrowable(() -> window.awaitSum(0, GE, 9, LONG));
                      default -> {
                        window.awaitSum(1, EQ, 3, LONG);
                        Abort mine = c.abort("no power");
                        assertThat(c.abort("something else")).isEqualTo(mine);
                        yield catchThrowable(() -> window.put(0, 0, 0, 8));
                      }
                    };
                assertThat(ended)
                    .isInstanceOf(AbortedException.class)
                    .hasMessageContainingAll("rank=2", "no power");
                assertThat(catchThrowable(() -> window.signal(c.rank() == 0 ? 1 : 0, 0, 1)))
                    .isInstanceOf(AbortedException.class);
                assertThat(window.read(0, 8)).containsOnly(0);
                return c.aborted().orElseThrow();
              }
            });
    assertThat(causes).containsOnly(new Abort(2, "no power"));
  }

  @Test
  void nothingIsFreedBeforeAllHaveLeft() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(spec(DataSizes.uniform(large())))) {
            if (c.rank() == 0) {
              for (int i = 0; i < 1000; i++) {
                window.put(1, 0, 0, large());
                window.signal(1, 0, 1);
              }
            }
          }
          return c;
        });
  }
}
