package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls fail alike on all ranks, in time, and such that they can be resumed. */
interface PersistentFailureTests extends PersistentSuite {
  @Test
  default void anAbortEndsACallThatWaits() {
    List<Boolean> all =
        inWorld(
            2,
            c -> {
              try (Window window = c.window(WINDOW);
                  PersistentCalls calls = over(window, SPEC)) {
                CallingRank rank = rank(window, calls);
                rank.called(rank.stream(1), FIRST, 1, 8, 1);
                if (window.rank() == 1) {
                  window.await(0, OWN, Comparison.GE, 1, LONG);
                  c.abort("enough");
                } else {
                  window.signal(1, OWN, 1);
                  assertThatThrownBy(() -> rank.call(rank.stream(1), FIRST, 8))
                      .isInstanceOf(AbortedException.class)
                      .hasMessageContaining("enough");
                }
                return true;
              }
            });
    assertThat(all).containsOnly(true);
  }

  @Test
  default void wrongUseIsRejectedBeforeAnySignal() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> rank.call(stream, FIRST, 33))
              .withMessageContaining("range too short: bytes=33, ranks=2, length=64");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> rank.call(stream, new WindowRegion("w", 176, 32), 8))
              .withMessageContaining("range overlaps the area in which ranks announce requests");
          assertThatThrownBy(
                  () -> rank.calls.call(exchange(), stream, FIRST, rank.window, 380, 8, LONG))
              .isInstanceOf(IndexOutOfBoundsException.class);
          for (long from : new long[] {4, 12, 190, 196, 260}) {
            assertThatIllegalArgumentException()
                .isThrownBy(
                    () -> rank.calls.call(exchange(), stream, FIRST, rank.window, from, 8, LONG))
                .withMessageContaining(
                    "source lies where peers write: offset=%d, bytes=%d", from, rank.source(8));
          }
          rank.called(stream, FIRST, 1, 8, 1);
          rank.window.write(16, rank.mine(2, 8));
          assertThat(rank.calls.call(exchange(), stream, FIRST, rank.window, 16, 8, LONG))
              .isEqualTo(new CallResult.Done(2));
          rank.holds(FIRST, 2, 8);
        });
  }

  /** Rank 0 allows one request, so the second place of rank 1 is invalid for it. */
  @Test
  default void aPlaceThatThereIsNotIsRefusedBeforeAnybodySignalsIt() {
    inWorld(
        2,
        c -> {
          CallSpec spec = new CallSpec(192, 0, c.rank() == 0 ? 1 : 3, 0);
          try (Window window = c.window(WINDOW);
              PersistentCalls calls = over(window, spec)) {
            CallStream stream = rank(window, calls).stream(1);
            if (c.rank() == 0) {
              assertThatThrownBy(() -> calls.call(exchange(), stream, FIRST, window, FROM, 8, LONG))
                  .isInstanceOf(MachineException.class)
                  .hasMessageContaining(
                      "no such place of a request: rank=0, peer=1, place=1, places=1");
            } else {
              calls.open(exchange(), stream, SECOND);
              assertThatThrownBy(
                      () -> calls.call(exchange(), stream, FIRST, window, FROM, 8, SHORT))
                  .isInstanceOf(TimeoutException.class);
            }
          }
          return c;
        });
  }

  @Test
  default void ranksThatCallDifferentRequestsSaySo() {
    among(
        2,
        rank -> {
          WindowRegion other = rank.window.rank() == 0 ? FIRST : SECOND;
          assertThatThrownBy(() -> rank.call(rank.stream(1), other, 8))
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("ranks call different requests: rank=" + rank.window.rank());
          rank.calls.reset(LONG);
          rank.called(rank.stream(1), FIRST, 1, 8, 1);
        });
  }

  @Test
  default void ranksThatCallOtherKindsSaySo() {
    among(
        2,
        rank -> {
          boolean gathers = rank.window.rank() == 0;
          ExchangePattern mine = gathers ? ExchangePattern.ALL_GATHER : ExchangePattern.ALL_TO_ALL;
          assertThatThrownBy(
                  () -> rank.calls.call(mine, rank.stream(1), FIRST, rank.window, FROM, 8, LONG))
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("ranks call different requests: rank=" + rank.window.rank())
              .hasMessageContaining(gathers ? "call=all-to-all" : "call=all-gather");
        });
  }

  /**
   * Rank 0 has signalled to the others that it is ready, and times out; they have not signalled
   * anything yet.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  default void afterAFailedCallNothingContinuesUntilReset(boolean replays) {
    among(
        3,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = rank.recorded(stream, FIRST, 8)) {
            rank.replayed(graph, FIRST, 1, 8);
            rank.called(rank.stream(2), SECOND, 2, 8, 1);
            if (rank.window.rank() == 0) {
              assertThatThrownBy(
                      () -> {
                        if (replays) {
                          graph.replay(SHORT);
                        } else {
                          rank.calls.call(exchange(), stream, FIRST, rank.window, FROM, 8, SHORT);
                        }
                      })
                  .isInstanceOf(TimeoutException.class);
              for (CallStream any : List.of(stream, rank.stream(2), rank.stream(3))) {
                assertThatIllegalStateException()
                    .isThrownBy(() -> rank.call(any, any.id() == 2 ? SECOND : FIRST, 8))
                    .withMessageContaining("a call has failed")
                    .withMessageContaining("reset on every rank");
              }
              assertThatIllegalStateException().isThrownBy(() -> graph.replay(LONG));
              rank.calls.destroy(exchange(), rank.stream(3), FIRST);
            }
            rank.calls.reset(LONG);
            rank.replayed(graph, FIRST, 3, 8);
            rank.called(rank.stream(2), SECOND, 4, 8, 1);
            rank.called(stream, FIRST, 5, 8, 2);
          }
        });
  }

  @Test
  default void aResetThatNotAllCameToIsGoneOnWith() {
    among(
        2,
        rank -> {
          rank.called(rank.stream(1), FIRST, 1, 8, 1);
          if (rank.window.rank() == 0) {
            assertThatThrownBy(() -> rank.calls.reset(SHORT)).isInstanceOf(TimeoutException.class);
            rank.window.signal(1, OWN, 1);
          } else {
            rank.window.await(0, OWN, Comparison.GE, 1, LONG);
          }
          rank.calls.reset(LONG);
          rank.called(rank.stream(1), FIRST, 2, 8, 1);
        });
  }
}
