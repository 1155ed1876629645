package dev.oriel.domain.persistent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.persistent.CallStep.Word;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTest {
  private static final RequestKey KEY = new RequestKey(ExchangePattern.ALL_GATHER, 0, 64, 1);

  private final CallCountAgreement accord = new CallCountAgreement();
  private final RequestLife life = new RequestLife(KEY, accord);

  @Test
  void callsAreCountedFromOneAfterEachReset() {
    for (int reset = 0; reset < 3; reset++) {
      for (long epoch = 1; epoch <= 4; epoch++) {
        assertThat(life.begin()).isEqualTo(epoch);
        life.end();
      }
      accord.renew();
    }
  }

  @Test
  void aCallWithinACallIsRefused() {
    assertThat(life.begin()).isEqualTo(1);
    assertThatThrownBy(life::begin)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "request is in a call: call=all-gather, offset=0, length=64, stream=1; wait for its end, or use another"
                + " stream");
    life.end();
    assertThat(life.begin()).isEqualTo(2);
  }

  /** Includes requests that are created after the failure. */
  @Test
  void theFirstCauseEndsAllRequestsUntilAReset() {
    life.begin();
    life.fail("late");
    accord.fail("later");
    for (RequestLife any : List.of(life, new RequestLife(KEY, accord))) {
      assertThatThrownBy(any::begin).hasMessageContaining("cause=late; reset on every rank");
    }
    accord.renew();
    assertThat(life.begin()).isEqualTo(1);
  }

  @Test
  void aDestroyedRequestStaysDestroyed() {
    life.destroy();
    accord.renew();
    assertThatThrownBy(life::begin).hasMessageContaining("request is destroyed");
  }

  @Test
  void placesAreExclusiveAndReused() {
    RequestTable<Integer> table = new RequestTable<>(2);
    RequestKey other = new RequestKey(ExchangePattern.ALL_GATHER, 0, 64, 2);
    RequestKey third = new RequestKey(ExchangePattern.ALL_GATHER, 0, 32, 1);
    assertThat(table.open(KEY, (key, place) -> place)).isZero();
    assertThat(table.open(other, (key, place) -> place)).isEqualTo(1);
    assertThat(table.open(KEY, (key, place) -> 7)).isZero();
    assertThatThrownBy(() -> table.open(third, (key, place) -> place))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("places=2");
    assertThat(table.remove(KEY)).contains(0);
    assertThat(table.remove(KEY)).isEmpty();
    assertThat(table.open(third, (key, place) -> place)).isZero();
    assertThat(table.all()).containsExactly(0, 1);
  }

  /**
   * Every signal that one rank awaits is sent by another, and every byte is put once, at its place.
   */
  @ParameterizedTest
  @CsvSource({
    "1, ALL_GATHER", "2, ALL_GATHER", "3, ALL_GATHER", "8, ALL_GATHER",
    "1, ALL_TO_ALL", "2, ALL_TO_ALL", "3, ALL_TO_ALL", "8, ALL_TO_ALL"
  })
  void everyAwaitedWordIsSentOnceAndEveryByteIsPutOnce(int world, ExchangePattern exchange) {
    int[][] signalled = new int[world * world][2];
    int[][] ranges = new int[world][world * 3];
    for (int rank = 0; rank < world; rank++) {
      for (CallStep step : CallSchedule.DIRECT.steps(exchange, rank, world, 3, rank % 2 == 1)) {
        switch (step) {
          case CallStep.PeerSignal(int peer, Word word) ->
              signalled[rank * world + peer][word == Word.READY ? 0 : 1]++;
          case CallStep.PeerWait(int peer, Word word) ->
              signalled[peer * world + rank][word == Word.READY ? 0 : 1] += 10;
          case CallStep.Put(int peer, long from, long to, long bytes) -> {
            for (int i = 0; i < bytes; i++) {
              ranges[peer][(int) to + i] += 100 * (1 + rank) + (int) from + i;
            }
          }
          case CallStep.Settle(int peer) -> {}
        }
      }
    }
    for (int rank = 0; rank < world; rank++) {
      for (int peer = 0; peer < world; peer++) {
        int once = rank == peer ? 0 : 11;
        assertThat(signalled[rank * world + peer]).containsExactly(once, once);
        boolean there = rank == peer && rank % 2 == 1;
        int first = 100 * (1 + rank) + (exchange == ExchangePattern.ALL_GATHER ? 0 : 3 * peer);
        int[] theirs = Arrays.copyOfRange(ranges[peer], 3 * rank, 3 * rank + 3);
        assertThat(theirs).isEqualTo(there ? new int[3] : new int[] {first, first + 1, first + 2});
      }
    }
  }
}
