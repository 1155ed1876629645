package dev.oriel.ports.contract;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The promises of a window's barriers. */
interface WindowBarrierTests extends WindowSuite {
  @Test
  default void noRankPassesABarrierBeforeAllHaveCome() {
    among(
        4,
        DataSizes.uniform(80),
        (self, window) -> {
          for (int round = 1; round <= 64; round++) {
            // No rank is two rounds ahead of another, so the bytes of the previous round are left
            // alone.
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
  default void barrierIdsAreIndependent() {
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
  default void aRoundThatTimedOutIsTakenUpAgain() {
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
  default void teamsMeetWithoutTheOthers() {
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
  default void aBarrierIsNoSignal() {
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
  default void arrivingAndWaitingMayBeApart() {
    among(
        3,
        DataSizes.uniform(64),
        (self, window) -> {
          int rank = self.rank();
          int next = (rank + 1) % 3;
          Team all = Team.all(3);
          for (int round = 0; round < 4; round++) {
            window.write(0, WindowSuite.bytes(16, rank + round));
            window.put(next, 16, 0, 16);
            window.arrive(0, all, LONG);
            window.arrive(0, all, LONG);
            window.write(48, WindowSuite.bytes(16, round));
            window.barrier(0, all, LONG);
            assertThat(window.read(16, 16))
                .isEqualTo(WindowSuite.bytes(16, (rank + 2) % 3 + round));
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
  default void eachPairMeetsByItself() {
    among(
        3,
        DataSizes.NONE,
        (self, window) -> {
          int rank = self.rank();
          for (int round = 0; round < 20; round++) {
            // Pair i joins i and i + 1: every rank is in two pairs, and arrives at both first.
            Team mine = Team.of(rank, (rank + 1) % 3);
            Team other = Team.of((rank + 2) % 3, rank);
            window.arrive(rank, mine, LONG);
            window.arrive((rank + 2) % 3, other, LONG);
            window.barrier(rank, mine, LONG);
            window.barrier((rank + 2) % 3, other, LONG);
          }
        });
  }
}
