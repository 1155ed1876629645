package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.persistent.Exchange;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.Answer;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallMachine;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.PersistentCalls;
import dev.oriel.ports.persistent.StepMachine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What persistent calls must do over the windows and streams of any machine. */
@ParameterizedClass
@EnumSource(Exchange.class)
public abstract class PersistentContract extends WorldFixture {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(80);

  /** In front two ranges of 64 bytes, then the source; what is told lies behind. */
  private static final long FROM = 128;

  private static final CallSpec SPEC = new CallSpec(192, 0, 3, 0);

  /** A signal of the tests. */
  private static final int OWN = SPEC.signalCount();

  private static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(384)).withSignals(OWN + 1).withBarriers(1);
  private static final Region FIRST = new Region("w", 0, 64);
  private static final Region SECOND = new Region("w", 64, 64);

  @Parameter Exchange exchange = Exchange.ALL_GATHER;

  /** A stream of the rank whose window it is; others of the same number are the same stream. */
  protected abstract CallStream stream(Window window, long id);

  /** What makes calls over the window. */
  protected CallMachine machine(Window window, CallSpec spec) {
    return new StepMachine(window, spec);
  }

  /** What one rank does. */
  @FunctionalInterface
  private interface Part {
    void run(Rank rank) throws Exception;
  }

  private static byte[] bytes(int rank, int call, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(100L * call + rank).nextBytes(bytes);
    return bytes;
  }

  /** A rank, and what its contribution to the call of that number is. */
  private final class Rank {
    final Window window;
    final PersistentCalls calls;

    Rank(Window window, PersistentCalls calls) {
      this.window = window;
      this.calls = calls;
    }

    CallStream stream(long id) {
      return PersistentContract.this.stream(window, id);
    }

    int source(int length) {
      return (int) exchange.source(window.world(), length);
    }

    byte[] mine(int call, int length) {
      return bytes(window.rank(), call, source(length));
    }

    void fill(int call, int length) {
      window.write(FROM, mine(call, length));
    }

    Answer call(CallStream stream, Region out, int length) throws TimeoutException {
      return calls.call(exchange, stream, out, window, FROM, length, LONG);
    }

    void holds(Region out, int call, int length) {
      int share = (int) exchange.share(window.rank(), length);
      for (int rank = 0; rank < window.world(); rank++) {
        byte[] all = bytes(rank, call, source(length));
        assertThat(window.read(out.offset() + (long) rank * length, length))
            .as("rank=%d, call=%d, of=%d", window.rank(), call, rank)
            .isEqualTo(Arrays.copyOfRange(all, share, share + length));
      }
    }

    void called(CallStream stream, Region out, int call, int length, long epoch)
        throws TimeoutException {
      fill(call, length);
      assertThat(call(stream, out, length)).isEqualTo(new Answer.Done(epoch));
      holds(out, call, length);
    }

    void replayed(CallGraph graph, Region out, int call, int length) throws TimeoutException {
      fill(call, length);
      graph.replay(LONG);
      holds(out, call, length);
    }
  }

  private PersistentCalls over(Window window, CallSpec spec) throws TimeoutException {
    return PersistentCalls.over(window, spec, machine(window, spec), LONG);
  }

  private void among(int world, Part part) {
    among(world, DataSizes.uniform(384), part);
  }

  private void among(int world, DataSizes sizes, Part part) {
    List<Throwable> failures =
        inWorld(
                world,
                c -> {
                  try (Window window = c.window(WINDOW.withData(sizes));
                      PersistentCalls calls = over(window, SPEC)) {
                    List<Throwable> failed = new ArrayList<>();
                    try {
                      window.barrier(0, LONG);
                      part.run(new Rank(window, calls));
                    } catch (Exception | AssertionError e) {
                      failed.add(e);
                    }
                    return failed;
                  }
                })
            .stream()
            .flatMap(List::stream)
            .toList();
    if (!failures.isEmpty()) {
      throw new AssertionError("a rank failed: " + failures.getFirst(), failures.getFirst());
    }
  }

  private CallGraph recorded(Rank rank, CallStream stream, Region out, int length)
      throws TimeoutException {
    stream.capture();
    assertThat(rank.call(stream, out, length)).isEqualTo(new Answer.Recorded());
    return stream.captured();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void callsMayHaveOtherBytesAndSourcesEachTime(int world) {
    among(
        world,
        rank -> {
          CallStream stream = rank.stream(1);
          int call = 0;
          for (int length : new int[] {8, 0, 16, 3, 8}) {
            rank.called(stream, FIRST, call++, length, call);
          }
          Window window = rank.window;
          if (exchange == Exchange.ALL_GATHER) {
            window.write(8L * window.rank(), rank.mine(call, 8));
            assertThat(rank.calls.allGather(stream, FIRST, window, 8L * window.rank(), 8, LONG))
                .isEqualTo(new Answer.Done(6));
            rank.holds(FIRST, call, 8);
          }
          assertThat(rank.calls.count()).isEqualTo(1);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theSourceMayBeMemoryOfTheRankAlone(int world) {
    List<Boolean> all =
        inWorld(
            world,
            c -> {
              try (LocalBuffer own = c.buffer(8L * world);
                  Window window = c.window(WINDOW);
                  PersistentCalls calls = over(window, SPEC)) {
                Rank rank = new Rank(window, calls);
                own.write(0, rank.mine(7, 8));
                calls.call(exchange, rank.stream(1), FIRST, own, 0, 8, LONG);
                rank.holds(FIRST, 7, 8);
                return true;
              }
            });
    assertThat(all).containsOnly(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void callsAndReplaysOfOneRequestMix(int world) {
    among(
        world,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
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
  void aGraphWithoutCallsIsReplayedLikeAnyOther() {
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

  /** Every third call some rank comes late: the others may be there before, never a call ahead. */
  @Test
  void replaysGoOnForEverWithLateRanks() {
    among(
        3,
        rank -> {
          try (CallGraph graph = recorded(rank, rank.stream(1), FIRST, 8)) {
            for (int call = 1; call <= 30; call++) {
              for (int late = 0; late < 50 && call % 3 == rank.window.rank(); late++) {
                rank.window.read(FROM, 8);
              }
              rank.replayed(graph, FIRST, call, 8);
            }
          }
        });
  }

  @Test
  void aRangeHasARequestForEachStreamAndAStreamForEachRange() {
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
                  exchange.spelling());
        });
  }

  /** Ranks give places back in another order, so they use others for the next request. */
  @Test
  void requestsAreDestroyedInAnyOrderAndTheirPlacesUsedAgain() {
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
                    () -> rank.calls.destroy(exchange, a, FIRST),
                    () -> rank.calls.destroy(exchange, b, FIRST),
                    () -> rank.calls.destroy(exchange, a, SECOND));
            Collections.rotate(destroyed, rank.window.rank() + round);
            destroyed.forEach(Runnable::run);
            assertThat(rank.calls.count()).isZero();
          }
          assertThat(rank.calls.destroy(exchange, a, FIRST)).isFalse();
        });
  }

  @Test
  void anAbortEndsACallThatWaits() {
    List<Boolean> all =
        inWorld(
            2,
            c -> {
              try (Window window = c.window(WINDOW);
                  PersistentCalls calls = over(window, SPEC)) {
                Rank rank = new Rank(window, calls);
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
  void closingDestroysWhatIsLeft() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
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

  /** Nobody calls back when a graph goes; the next call of whatever request finds out. */
  @Test
  void whatOnlyAGraphReplayedGoesWithIt() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          CallGraph one = recorded(rank, stream, FIRST, 8);
          CallGraph two = recorded(rank, stream, FIRST, 16);
          rank.replayed(one, FIRST, 1, 8);
          one.close();
          assertThat(rank.calls.count()).isEqualTo(1);
          rank.replayed(two, FIRST, 2, 16);
          assertThatIllegalStateException().isThrownBy(() -> one.replay(LONG));
          two.close();
          two.close();
          assertThat(rank.calls.count()).isZero();
          rank.called(stream, FIRST, 3, 8, 1);
          try (CallGraph three = recorded(rank, stream, FIRST, 8)) {
            rank.replayed(three, FIRST, 4, 8);
          }
          assertThat(rank.calls.count()).as("kept for its calls").isEqualTo(1);
        });
  }

  @Test
  void aGraphOfADestroyedRequestSaysSo() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
            rank.calls.destroy(exchange, stream, FIRST);
            assertThatIllegalStateException()
                .isThrownBy(() -> graph.replay(LONG))
                .withMessageContaining(
                    "request is destroyed: call=%s, offset=0, length=64, stream=1",
                    exchange.spelling());
            rank.called(stream, FIRST, 1, 8, 1);
          }
        });
  }

  /** Decided by what all know, so that all take another way. */
  @Test
  void aRangeThatIsNotInTheWindowOnEveryRankIsForAnotherWay() {
    among(
        2,
        DataSizes.perRank(400, 384),
        rank -> {
          CallStream stream = rank.stream(1);
          Region long17 = new Region("w", 376, 16);
          assertThat(rank.call(stream, long17, 8))
              .isEqualTo(
                  new Answer.Elsewhere(
                      "range leaves the window: offset=376, length=16, rank=1, bytes=384; use memory"
                          + " that is in it on every rank"));
          assertThat(rank.calls.open(exchange, stream, new Region("v", 0, 16))).isPresent();
          assertThat(rank.calls.open(exchange, stream, FIRST)).isEmpty();
          rank.called(stream, FIRST, 1, 8, 1);
          assertThat(rank.calls.count()).isEqualTo(1);
        });
  }

  @Test
  void wrongUseIsRefusedBeforeAnybodyIsTold() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> rank.call(stream, FIRST, 33))
              .withMessageContaining("range too short: bytes=33, ranks=2, length=64");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> rank.call(stream, new Region("w", 176, 32), 8))
              .withMessageContaining("range lies where requests are told");
          assertThatThrownBy(
                  () -> rank.calls.call(exchange, stream, FIRST, rank.window, 380, 8, LONG))
              .isInstanceOf(IndexOutOfBoundsException.class);
          for (long from : new long[] {4, 12, 190, 196, 260}) {
            assertThatIllegalArgumentException()
                .isThrownBy(
                    () -> rank.calls.call(exchange, stream, FIRST, rank.window, from, 8, LONG))
                .withMessageContaining(
                    "source lies where peers write: offset=%d, bytes=%d", from, rank.source(8));
          }
          rank.called(stream, FIRST, 1, 8, 1);
          rank.window.write(16, rank.mine(2, 8));
          assertThat(rank.calls.call(exchange, stream, FIRST, rank.window, 16, 8, LONG))
              .isEqualTo(new Answer.Done(2));
          rank.holds(FIRST, 2, 8);
        });
  }

  /** Rank 0 allows one request, so that the second place of rank 1 is none for it. */
  @Test
  void aPlaceThatThereIsNotIsRefusedBeforeAnybodySignalsIt() {
    inWorld(
        2,
        c -> {
          CallSpec spec = new CallSpec(192, 0, c.rank() == 0 ? 1 : 3, 0);
          try (Window window = c.window(WINDOW);
              PersistentCalls calls = over(window, spec)) {
            CallStream stream = stream(window, 1);
            if (c.rank() == 0) {
              assertThatThrownBy(() -> calls.call(exchange, stream, FIRST, window, FROM, 8, LONG))
                  .isInstanceOf(MachineException.class)
                  .hasMessageContaining(
                      "no such place of a request: rank=0, peer=1, place=1, places=1");
            } else {
              calls.open(exchange, stream, SECOND);
              assertThatThrownBy(() -> calls.call(exchange, stream, FIRST, window, FROM, 8, SHORT))
                  .isInstanceOf(TimeoutException.class);
            }
          }
          return c;
        });
  }

  @Test
  void ranksThatCallDifferentRequestsSaySo() {
    among(
        2,
        rank -> {
          Region other = rank.window.rank() == 0 ? FIRST : SECOND;
          assertThatThrownBy(() -> rank.call(rank.stream(1), other, 8))
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("ranks call different requests: rank=" + rank.window.rank());
          rank.calls.reset(LONG);
          rank.called(rank.stream(1), FIRST, 1, 8, 1);
        });
  }

  /** Rank 0 has told the others that it is ready, and gives up; they have told it nothing yet. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void behindAFailedCallNothingGoesOnUntilAllAgree(boolean replays) {
    among(
        3,
        rank -> {
          CallStream stream = rank.stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
            rank.replayed(graph, FIRST, 1, 8);
            rank.called(rank.stream(2), SECOND, 2, 8, 1);
            if (rank.window.rank() == 0) {
              assertThatThrownBy(
                      () -> {
                        if (replays) {
                          graph.replay(SHORT);
                        } else {
                          rank.calls.call(exchange, stream, FIRST, rank.window, FROM, 8, SHORT);
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
              rank.calls.destroy(exchange, rank.stream(3), FIRST);
            }
            rank.calls.reset(LONG);
            rank.replayed(graph, FIRST, 3, 8);
            rank.called(rank.stream(2), SECOND, 4, 8, 1);
            rank.called(stream, FIRST, 5, 8, 2);
          }
        });
  }

  @Test
  void aResetThatNotAllCameToIsGoneOnWith() {
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

  /** One range, one stream, and two requests: each counts its own calls. */
  @Test
  void callsOfTwoKindsMix() {
    among(
        2,
        rank -> {
          CallStream stream = rank.stream(1);
          Exchange other =
              exchange == Exchange.ALL_GATHER ? Exchange.ALL_TO_ALL : Exchange.ALL_GATHER;
          for (int round = 1; round <= 3; round++) {
            rank.called(stream, FIRST, round, 8, round);
            assertThat(rank.calls.call(other, stream, FIRST, rank.window, FROM, 8, LONG))
                .isEqualTo(new Answer.Done(round));
          }
          assertThat(rank.calls.count()).isEqualTo(2);
        });
  }

  @Test
  void ranksThatCallOtherKindsSaySo() {
    among(
        2,
        rank -> {
          boolean gathers = rank.window.rank() == 0;
          Exchange mine = gathers ? Exchange.ALL_GATHER : Exchange.ALL_TO_ALL;
          assertThatThrownBy(
                  () -> rank.calls.call(mine, rank.stream(1), FIRST, rank.window, FROM, 8, LONG))
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("ranks call different requests: rank=" + rank.window.rank())
              .hasMessageContaining(gathers ? "call=all-to-all" : "call=all-gather");
        });
  }
}
