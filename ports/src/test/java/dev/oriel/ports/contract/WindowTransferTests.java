package dev.oriel.ports.contract;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import java.util.Arrays;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The promises of a window's puts and gets, and of the signals of their completion. */
interface WindowTransferTests extends WindowSuite {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  default void everyRankPutsIntoEveryOther(int world) {
    among(
        world,
        DataSizes.uniform(64L * (world + 1)),
        (self, window) -> {
          window.write(64L * world, WindowSuite.bytes(64, self.rank()));
          for (int peer = 0; peer < world; peer++) {
            window.put(peer, 64L * self.rank(), 64L * world, 64);
          }
          window.barrier(0, LONG);
          for (int source = 0; source < world; source++) {
            assertThat(window.read(64L * source, 64)).isEqualTo(WindowSuite.bytes(64, source));
          }
        });
  }

  @Test
  default void everyRankGetsFromEveryOtherWhateverTheSizes() {
    among(
        4,
        WindowSuite.uneven(4),
        (self, window) -> {
          int rank = self.rank();
          window.write(0, WindowSuite.bytes(64 * rank, rank));
          window.barrier(0, LONG);
          assertThat(window.bytes(3)).isEqualTo(192);
          assertThat(window.bytes(0)).isZero();
          if (rank == 1) {
            window.get(3, 130, 1, 62);
            window.flush(3, LONG);
            assertThat(window.read(1, 62))
                .isEqualTo(Arrays.copyOfRange(WindowSuite.bytes(192, 3), 130, 192));
          }
          window.barrier(0, LONG);
        });
  }

  @Test
  default void boundsAreThoseOfTheOwner() {
    among(
        4,
        WindowSuite.uneven(4),
        (self, window) -> {
          int rank = self.rank();
          window.write(0, WindowSuite.bytes(64 * rank, rank));
          window.barrier(0, LONG);
          if (rank == 3) {
            WindowSuite.refusedNaming("owner=1", () -> window.put(1, 0, 0, 65));
            WindowSuite.refusedNaming("owner=1", () -> window.put(1, 64, 0, 1));
            WindowSuite.refused(() -> window.put(0, 0, 0, 1));
            WindowSuite.refused(() -> window.put(1, -1, 0, 1));
            WindowSuite.refused(() -> window.put(1, Long.MAX_VALUE, 0, 1));
            WindowSuite.refusedNaming("owner=2", () -> window.get(2, 100, 0, 29));
            WindowSuite.refused(() -> window.put(1, 0, 0, -1));
            window.put(0, 0, 192, 0);
          } else if (rank == 1) {
            WindowSuite.refused(() -> window.put(3, 0, 0, 65));
            WindowSuite.refused(() -> window.get(3, 0, 1, 64));
            WindowSuite.refusedNaming("owner=1", () -> window.write(63, new byte[2]));
            WindowSuite.refusedNaming("owner=1", () -> window.read(0, 65));
            window.put(3, 128, 0, 64);
          }
          WindowSuite.refused(() -> window.put(4, 0, 0, 0));
          WindowSuite.refused(() -> window.bytes(-1));
          window.barrier(0, LONG);
          if (rank == 3) {
            assertThat(window.read(128, 64)).isEqualTo(WindowSuite.bytes(64, 1));
            assertThat(window.read(0, 128)).isEqualTo(WindowSuite.bytes(128, 3));
          } else {
            assertThat(window.read(0, 64 * rank)).isEqualTo(WindowSuite.bytes(64 * rank, rank));
          }
        });
  }

  @Test
  default void aPutThatSignalsBringsItsBytes() {
    among(
        3,
        DataSizes.uniform(256),
        (self, window) -> {
          int rank = self.rank();
          int next = (rank + 1) % 3;
          window.write(0, WindowSuite.bytes(64, rank));
          window.putSignal(next, 64, window, 0, 64, 1, 1);
          window.putSignal(next, 128, window, 0, 64, 1, 1);
          window.await((rank + 2) % 3, 1, EQ, 2, LONG);
          assertThat(window.read(64, 64)).isEqualTo(WindowSuite.bytes(64, (rank + 2) % 3));
          assertThat(window.read(128, 64)).isEqualTo(WindowSuite.bytes(64, (rank + 2) % 3));
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.signal(next, 1, 1))
              .withMessageContaining("id=1");
          window.signal(next, 0, 1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> window.putSignal(next, 0, window, 0, 0, 0, 1))
              .withMessageContaining("id=0");
          WindowSuite.refused(() -> window.putSignal(next, 193, window, 0, 64, 1, 1));
          window.barrier(0, LONG);
        });
  }

  @Test
  default void aCounterSaysThatSourcesMayBeOverwritten() {
    among(
        3,
        DataSizes.uniform(256),
        (self, window) -> {
          int rank = self.rank();
          int next = (rank + 1) % 3;
          for (int round = 0; round < 3; round++) {
            window.write(0, WindowSuite.bytes(32, rank + round));
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
                .isEqualTo(WindowSuite.bytes(32, (rank + 2) % 3 + round));
          }
          WindowSuite.refused(() -> window.putCounted(next, 0, window, 0, 1, 2));
          window.barrier(0, LONG);
        });
  }

  @Test
  default void furtherBuffersAreSourcesAndTargets() {
    among(
        2,
        DataSizes.uniform(64),
        (self, window) -> {
          int peer = 1 - self.rank();
          try (LocalBuffer source = self.buffer(48);
              LocalBuffer target = self.buffer(16)) {
            assertThat(source.bytes()).isEqualTo(48);
            assertThat(target.read(0, 16)).containsOnly(0);
            source.write(16, WindowSuite.bytes(32, self.rank()));
            window.put(peer, 0, source, 16, 32);
            window.barrier(0, LONG);
            assertThat(window.read(0, 32)).isEqualTo(WindowSuite.bytes(32, peer));
            window.get(peer, 8, target, 0, 16);
            window.flush(peer, LONG);
            assertThat(target.read(0, 16))
                .isEqualTo(Arrays.copyOfRange(WindowSuite.bytes(32, self.rank()), 8, 24));
            WindowSuite.refused(() -> window.put(peer, 0, source, 40, 9));
            WindowSuite.refused(() -> window.get(peer, 0, target, 0, 17));
            WindowSuite.refused(() -> source.write(48, new byte[1]));
            assertThatExceptionOfType(MachineException.class).isThrownBy(self::close);
            window.barrier(0, LONG);
          }
        });
  }
}
