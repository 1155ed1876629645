package dev.oriel.ports.contract;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.RemoteRange;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The creation and end of windows, the peers that they reach, and the data that they carry. */
interface WindowLifeTests extends WindowSuite {
  @Test
  default void aClosedWindowRefuses() {
    inWorld(
        2,
        c -> {
          Window window = c.window(WindowSuite.spec(DataSizes.uniform(8)));
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
  default void piecesLieWhereTheirOwnersSay() {
    among(
        3,
        DataSizes.perRank(96, 160, 32),
        (self, window) -> {
          int rank = self.rank();
          long[] places = {64, 8, 0};
          long[] sizes = {32, 24, 8};
          WindowView pieces = window.share(new WindowRegion("w", places[rank], sizes[rank]));
          try (LocalBuffer source = self.buffer(32)) {
            source.write(0, WindowSuite.bytes(32, rank));
            for (int owner = 0; owner < 3; owner++) {
              RemoteRange piece = pieces.range(owner);
              assertThat(piece.size()).isEqualTo(sizes[owner]);
              if (owner == (rank + 1) % 3) {
                window.put(piece, 4, source, 0, 4);
                WindowSuite.refused(() -> window.put(piece, 1, source, 0, piece.size()));
              }
            }
            window.barrier(0, LONG);
            assertThat(window.read(places[rank] + 4, 4))
                .isEqualTo(Arrays.copyOf(WindowSuite.bytes(32, (rank + 2) % 3), 4));
            RemoteRange last = pieces.range((rank + 2) % 3);
            window.get(last, 4, source, 28, 4);
            window.flush(last.owner(), LONG);
            assertThat(source.read(28, 4))
                .isEqualTo(Arrays.copyOf(WindowSuite.bytes(32, (rank + 1) % 3), 4));
            window.barrier(0, LONG);
          }
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> window.share(new WindowRegion("w", 0, rank == 1 ? 161 : 1)))
              .withMessageContainingAll("rank=1", "161");
          window.barrier(0, LONG);
        });
  }

  @Test
  default void addressesOfAClosedWindowAreRefused() {
    inWorld(
        2,
        c -> {
          int peer = 1 - c.rank();
          Window first = c.window(WindowSuite.spec(DataSizes.uniform(32)));
          RemoteRange old = first.view().range(peer);
          first.put(old, 0, first, 8, 8);
          first.close();
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> first.put(old, 0, first, 8, 8))
              .withMessageContaining("generation=" + first.generation());
          try (Window second = c.window(WindowSuite.spec(DataSizes.uniform(32)))) {
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
  default void windowsSideBySideAreClosedInAnyOrder() {
    inWorld(
        3,
        c -> {
          int next = (c.rank() + 1) % 3;
          int last = (c.rank() + 2) % 3;
          Window one = c.window(WindowSuite.spec(DataSizes.uniform(64)));
          Window two = c.window(WindowSpec.named("x").withData(DataSizes.perRank(64, 80, 96)));
          Window three = c.window(WindowSpec.named("y").withData(DataSizes.uniform(16)));
          two.write(0, WindowSuite.bytes(32, c.rank()));
          three.put(next, 0, two, 0, 16);
          two.put(next, 32, two, 0, 32);
          one.signal(next, 0, 1);
          one.await(last, 0, GE, 1, LONG);
          assertThat(two.read(32, 32)).isEqualTo(WindowSuite.bytes(32, last));
          assertThat(three.read(0, 16)).isEqualTo(Arrays.copyOf(WindowSuite.bytes(32, last), 16));
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

  /** A ring over RDMA needs two peers of each rank; a call to any other rank is refused by name. */
  @Test
  default void aWindowLeadsToThePeersThatWereNamed() {
    inWorld(
        5,
        c -> {
          int next = (c.rank() + 1) % 5;
          int last = (c.rank() + 4) % 5;
          try (Window window =
              c.window(WindowSuite.spec(DataSizes.uniform(32)), Team.of(next, last))) {
            window.write(0, WindowSuite.bytes(8, c.rank()));
            window.put(next, 16, 0, 8);
            window.signal(next, 0, 1);
            window.await(last, 0, EQ, 1, LONG);
            assertThat(window.read(16, 8)).isEqualTo(WindowSuite.bytes(8, last));
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
          try (Window window = c.window(WindowSuite.spec(DataSizes.uniform(32)))) {
            window.barrier(0, LONG);
          }
          return c;
        });
  }

  @Test
  default void whoNamesARankThatDoesNotNameItFailsTheWindowOnAll() {
    List<String> messages =
        inWorld(
            4,
            c -> {
              Team all = Team.all(4);
              Team fewer = c.rank() == 3 ? Team.of(0, 2) : all;
              boolean far = c.topology().kind(1, 3) == PeerKind.RDMA;
              if (!far) {
                c.window(WindowSuite.spec(DataSizes.uniform(8)), fewer).close();
                return "fine";
              }
              Throwable failure =
                  catchThrowable(() -> c.window(WindowSuite.spec(DataSizes.uniform(8)), fewer));
              assertThat(failure).isInstanceOf(MachineException.class);
              c.window(WindowSuite.spec(DataSizes.uniform(8)), all).close();
              return String.valueOf(failure.getMessage());
            });
    assertThat(messages).containsOnly(messages.getFirst());
    if (!messages.getFirst().equals("fine")) {
      assertThat(messages.getFirst()).contains("rank=1", "peer=3");
    }
  }

  /** Every rank forwards a message that is longer than the ring, twice, through different tiles. */
  @Test
  default void aChannelCarriesMessagesFromRankToRank() {
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
              window.write(96, WindowSuite.bytes(length, length));
              next.send(window, 96, length).finish(LONG);
            } else if (rank == 1) {
              last.forward(window, 96, length, next).finish(LONG);
            } else {
              last.receive(window, 96, length).finish(LONG);
            }
            assertThat(window.read(96, length)).isEqualTo(WindowSuite.bytes(length, length));
          }
        });
  }

  @Test
  default void anAbortEndsEveryWaitWithTheSameCause() {
    List<Abort> causes =
        inWorld(
            4,
            c -> {
              try (Window window = c.window(WindowSuite.spec(DataSizes.uniform(8)))) {
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
  default void nothingIsFreedBeforeAllHaveLeft() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(WindowSuite.spec(DataSizes.uniform(large())))) {
            if (c.rank() == 0) {
              for (int i = 0; i < 200; i++) {
                window.put(1, 0, 0, large());
                window.signal(1, 0, 1);
              }
            }
          }
          return c;
        });
  }
}
