package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** The life of requests: their identity, their creation and their destruction. */
interface PersistentLifeTests extends PersistentSuite {
  @Test
  default void aRangeHasARequestForEachStreamAndAStreamForEachRange() {
    among(
        2,
        rank -> {
          CallStream a = rank.stream(1);
          CallStream b = rank.stream(2);
          rank.called(a, FIRST, 1, 8, 1);
          rank.called(b, FIRST, 2, 8, 1);
          rank.called(a, SECOND, 3, 8, 1);
          assertThat(rank.calls.count()).isEqualTo(3);
          rank.called(a, FIRST, 4, 8, 2);
          assertThatThrownBy(() -> rank.call(b, SECOND, 8))
              .isInstanceOf(NoSuchElementException.class)
              .hasMessageContaining(
                  "no place for a request: call=%s, offset=64, length=64, stream=2, places=3",
                  exchange().spelling());
        });
  }

  /** Ranks return places in different orders, so they use different ones for the next request. */
  @Test
  default void requestsAreDestroyedInAnyOrderAndTheirPlacesUsedAgain() {
    among(
        3,
        rank -> {
          CallStream a = rank.stream(1);
          CallStream b = rank.stream(2);
          for (int round = 0; round < 4; round++) {
            rank.called(a, FIRST, 4 * round, 8, 1);
            rank.called(b, FIRST, 4 * round + 1, 8, 1);
            rank.called(a, SECOND, 4 * round + 2, 8, 1);
            rank.called(a, FIRST, 4 * round + 3, 8, 2);
            List<Runnable> destroyed =
                Arrays.asList(
                    () -> rank.calls.destroy(exchange(), a, FIRST),
                    () -> rank.calls.destroy(exchange(), b, FIRST),
                    () -> rank.calls.destroy(exchange(), a, SECOND));
            Collections.rotate(destroyed, rank.window.rank() + round);
            destroyed.forEach(Runnable::run);
            assertThat(rank.calls.count()).isZero();
          }
          assertThat(rank.calls.destroy(exchange(), a, FIRST)).isFalse();
        });
  }

  @Test
  default void closingDestroysRemainingRequests() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = rank.recorded(stream, FIRST, 8)) {
            rank.replayed(graph, FIRST, 1, 8);
            rank.window.barrier(0, LONG);
            rank.calls.close();
            assertThatIllegalStateException()
                .isThrownBy(() -> graph.replay(LONG))
                .withMessageContaining("request is destroyed");
          }
          assertThatIllegalStateException()
              .isThrownBy(() -> rank.call(stream, FIRST, 8))
              .withMessageContaining("calls are closed: window=w");
        });
  }

  /** A destroyed graph makes no callback; the next call of any request finds out. */
  @Test
  default void aRequestOfOneGraphIsFreedWithIt() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          CallGraph one = rank.recorded(stream, FIRST, 8);
          CallGraph two = rank.recorded(stream, FIRST, 16);
          rank.replayed(one, FIRST, 1, 8);
          one.close();
          assertThat(rank.calls.count()).isEqualTo(1);
          rank.replayed(two, FIRST, 2, 16);
          assertThatIllegalStateException().isThrownBy(() -> one.replay(LONG));
          two.close();
          two.close();
          assertThat(rank.calls.count()).isZero();
          rank.called(stream, FIRST, 3, 8, 1);
          try (CallGraph three = rank.recorded(stream, FIRST, 8)) {
            rank.replayed(three, FIRST, 4, 8);
          }
          assertThat(rank.calls.count()).as("kept for its calls").isEqualTo(1);
        });
  }

  @Test
  default void aGraphOfADestroyedRequestSaysSo() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = rank.recorded(stream, FIRST, 8)) {
            rank.calls.destroy(exchange(), stream, FIRST);
            assertThatIllegalStateException()
                .isThrownBy(() -> graph.replay(LONG))
                .withMessageContaining(
                    "request is destroyed: call=%s, offset=0, length=64, stream=1",
                    exchange().spelling());
            rank.called(stream, FIRST, 1, 8, 1);
          }
        });
  }

  /** The decision uses only facts that all ranks know, so all choose another algorithm. */
  @Test
  default void aRangeThatIsNotInTheWindowOnEveryRankIsForAnotherWay() {
    among(
        2,
        DataSizes.perRank(400, 384),
        rank -> {
          CallStream stream = rank.stream(1);
          WindowRegion long17 = new WindowRegion("w", 376, 16);
          assertThat(rank.call(stream, long17, 8))
              .isEqualTo(
                  new CallResult.UnsuitableRange(
                      "range leaves the window: offset=376, length=16, rank=1, bytes=384; use memory"
                          + " that is in it on every rank"));
          assertThat(rank.calls.open(exchange(), stream, new WindowRegion("v", 0, 16))).isPresent();
          assertThat(rank.calls.open(exchange(), stream, FIRST)).isEmpty();
          rank.called(stream, FIRST, 1, 8, 1);
          assertThat(rank.calls.count()).isEqualTo(1);
        });
  }
}
