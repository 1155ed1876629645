package dev.oriel.ports.contract;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static dev.oriel.domain.window.Comparison.LT;
import static dev.oriel.domain.window.Comparison.NE;
import static dev.oriel.domain.window.Comparison.REACHED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.WindowContract.Capability;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The promises of a window's signals and of waits for them. */
interface WindowSignalTests extends WindowSuite {
  @Test
  default void aSignalBringsThePutsBeforeIt() {
    int rounds = 500;
    among(
        2,
        DataSizes.uniform(512),
        (self, window) -> {
          int peer = 1 - self.rank();
          for (int round = 1; round <= rounds; round++) {
            if (self.rank() == 0) {
              window.write(0, WindowSuite.bytes(256, round));
              window.put(peer, 256, 0, 256);
              window.signal(peer, 0, 1);
              window.await(peer, 1, EQ, round, LONG);
            } else {
              window.await(peer, 0, EQ, round, LONG);
              assertThat(window.read(256, 256)).isEqualTo(WindowSuite.bytes(256, round));
              window.signal(peer, 1, 1);
            }
          }
        });
  }

  @Test
  default void aLoudPeerDoesNotStandInForASilentOne() {
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
  default void aTimeoutLeavesTheWindowUsable() {
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
  default void countsWrapAndReachedStillHolds() {
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
  default void everyOtherRankIsSignalledAtOnceAndAwaitedAsASum() {
    among(
        4,
        DataSizes.uniform(8),
        (self, window) -> {
          int rank = self.rank();
          window.write(0, WindowSuite.bytes(8, rank));
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
          WindowSuite.refused(() -> window.awaitSum(4, GE, 0, LONG));
          window.barrier(0, LONG);
          if (rank == 0 || rank == 2) {
            assertThat(window.signalSum(1)).isZero();
          }
        });
  }

  @Test
  default void ranksIdsAndDeadlinesAreChecked() {
    among(
        2,
        DataSizes.uniform(8),
        (self, window) -> {
          int peer = 1 - self.rank();
          WindowSuite.refused(() -> window.signal(peer, 4, 1));
          WindowSuite.refused(() -> window.signal(2, 0, 1));
          WindowSuite.refused(() -> window.signalValue(peer, -1));
          WindowSuite.refused(() -> window.await(peer, 4, GE, 0, LONG));
          WindowSuite.refused(() -> window.barrier(3, LONG));
          WindowSuite.refused(() -> window.flush(2, LONG));
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
  default void anInterruptedRankSaysSo() {
    assumeTrue(!lacks(Capability.INTERRUPTION), "the implementation lacks INTERRUPTION");
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
}
