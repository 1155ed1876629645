package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of calls on bytes: eager, recorded and mixed. */
interface PersistentCallTests extends PersistentSuite {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  default void callsMayHaveOtherBytesAndSourcesEachTime(int world) {
    among(
        world,
        rank -> {
          CallStream stream = rank.stream(1);
          int call = 0;
          for (int length : new int[] {8, 0, 16, 3, 8}) {
            rank.called(stream, FIRST, call++, length, call);
          }
          Window window = rank.window;
          if (exchange() == ExchangePattern.ALL_GATHER) {
            window.write(8L * window.rank(), rank.mine(call, 8));
            assertThat(rank.calls.allGather(stream, FIRST, window, 8L * window.rank(), 8, LONG))
                .isEqualTo(new CallResult.Done(6));
            rank.holds(FIRST, call, 8);
          }
          assertThat(rank.calls.count()).isEqualTo(1);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  default void theSourceMayBeMemoryOfTheRankAlone(int world) {
    List<Boolean> all =
        inWorld(
            world,
            c -> {
              try (LocalBuffer own = c.buffer(8L * world);
                  Window window = c.window(WINDOW);
                  PersistentCalls calls = over(window, SPEC)) {
                CallingRank rank = rank(window, calls);
                own.write(0, rank.mine(7, 8));
                calls.call(exchange(), rank.stream(1), FIRST, own, 0, 8, LONG);
                rank.holds(FIRST, 7, 8);
                return true;
              }
            });
    assertThat(all).containsOnly(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  default void callsAndReplaysOfOneRequestMix(int world) {
    among(
        world,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = rank.recorded(stream, FIRST, 8)) {
            rank.replayed(graph, FIRST, 1, 8);
            rank.replayed(graph, FIRST, 2, 8);
            rank.called(stream, FIRST, 3, 16, 3);
            rank.replayed(graph, FIRST, 4, 8);
            rank.called(stream, FIRST, 5, 8, 5);
            assertThat(rank.calls.count()).isEqualTo(1);
          }
        });
  }

  @Test
  default void aGraphWithoutCallsIsReplayedLikeAnyOther() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          stream.capture();
          CallGraph empty = stream.captured();
          empty.replay(LONG);
          empty.replay(LONG);
          rank.called(stream, FIRST, 1, 8, 1);
          empty.close();
          assertThatIllegalStateException().isThrownBy(() -> empty.replay(LONG));
        });
  }

  /**
   * In every third call one rank is late: the others may wait there, but are never a call ahead.
   */
  @Test
  default void replaysGoOnForEverWithLateRanks() {
    among(
        3,
        rank -> {
          try (CallGraph graph = rank.recorded(rank.stream(1), FIRST, 8)) {
            for (int call = 1; call <= 30; call++) {
              for (int late = 0; late < 50 && call % 3 == rank.window.rank(); late++) {
                rank.window.read(FROM, 8);
              }
              rank.replayed(graph, FIRST, call, 8);
            }
          }
        });
  }

  /** One range, one stream, and two requests: each counts its own calls. */
  @Test
  default void callsOfTwoKindsMix() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          ExchangePattern other =
              exchange() == ExchangePattern.ALL_GATHER
                  ? ExchangePattern.ALL_TO_ALL
                  : ExchangePattern.ALL_GATHER;
          for (int round = 1; round <= 3; round++) {
            rank.called(stream, FIRST, round, 8, round);
            assertThat(rank.calls.call(other, stream, FIRST, rank.window, FROM, 8, LONG))
                .isEqualTo(new CallResult.Done(round));
          }
          assertThat(rank.calls.count()).isEqualTo(2);
        });
  }
}
