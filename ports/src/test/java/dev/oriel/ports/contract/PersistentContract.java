package dev.oriel.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Region;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.persistent.Answer;
import dev.oriel.ports.persistent.CallGraph;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.GatherSpec;
import dev.oriel.ports.persistent.Gathers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What persistent calls must do over the windows and streams of any machine. */
public abstract class PersistentContract extends WorldFixture {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(80);

  /** In front two ranges of 64 bytes, then the source; what is told lies behind. */
  private static final long FROM = 128;

  private static final GatherSpec SPEC = new GatherSpec(192, 0, 3, 0);

  /** A signal of the tests. */
  private static final int OWN = SPEC.signalCount();

  private static final WindowSpec WINDOW =
      WindowSpec.named("w").withData(DataSizes.uniform(384)).withSignals(OWN + 1).withBarriers(1);
  private static final Region FIRST = new Region("w", 0, 64);
  private static final Region SECOND = new Region("w", 64, 64);

  /** A stream of the calling rank. */
  protected abstract CallStream stream(long id);

  /** What one rank does. */
  @FunctionalInterface
  private interface Part {
    void run(Rank rank) throws Exception;
  }

  /** A rank, and what its contribution to the call of that number is. */
  private record Rank(Window window, Gathers gathers) {
    private static byte[] bytes(int rank, int call, int length) {
      byte[] bytes = new byte[length];
      new SplittableRandom(100L * call + rank).nextBytes(bytes);
      return bytes;
    }

    void fill(int call, int length) {
      window.write(FROM, bytes(window.rank(), call, length));
    }

    Answer gather(CallStream stream, Region out, int length) throws TimeoutException {
      return gathers.allGather(stream, out, window, FROM, length, LONG);
    }

    void holds(Region out, int call, int length) {
      for (int rank = 0; rank < window.world(); rank++) {
        assertThat(window.read(out.offset() + (long) rank * length, length))
            .as("rank=%d, call=%d, of=%d", window.rank(), call, rank)
            .isEqualTo(bytes(rank, call, length));
      }
    }

    void gathered(CallStream stream, Region out, int call, int length, long epoch)
        throws TimeoutException {
      fill(call, length);
      assertThat(gather(stream, out, length)).isEqualTo(new Answer.Done(epoch));
      holds(out, call, length);
    }

    void replayed(CallGraph graph, Region out, int call, int length) throws TimeoutException {
      fill(call, length);
      graph.replay(LONG);
      holds(out, call, length);
    }
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
                      Gathers gathers = Gathers.over(window, SPEC, LONG)) {
                    List<Throwable> failed = new ArrayList<>();
                    try {
                      window.barrier(0, LONG);
                      part.run(new Rank(window, gathers));
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
    assertThat(rank.gather(stream, out, length)).isEqualTo(new Answer.Recorded());
    return stream.captured();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void callsMayHaveOtherBytesAndSourcesEachTime(int world) {
    among(
        world,
        rank -> {
          CallStream stream = stream(1);
          int call = 0;
          for (int length : new int[] {8, 0, 16, 3, 8}) {
            rank.gathered(stream, FIRST, call++, length, call);
          }
          Window window = rank.window;
          byte[] mine = Rank.bytes(window.rank(), call, 8);
          window.write(8L * window.rank(), mine);
          assertThat(rank.gathers.allGather(stream, FIRST, window, 8L * window.rank(), 8, LONG))
              .isEqualTo(new Answer.Done(6));
          rank.holds(FIRST, call, 8);
          assertThat(rank.gathers.count()).isEqualTo(1);
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void theSourceMayBeMemoryOfTheRankAlone(int world) {
    List<Boolean> all =
        inWorld(
            world,
            c -> {
              try (LocalBuffer own = c.buffer(8);
                  Window window = c.window(WINDOW);
                  Gathers gathers = Gathers.over(window, SPEC, LONG)) {
                own.write(0, Rank.bytes(window.rank(), 7, 8));
                gathers.allGather(stream(1), FIRST, own, 0, 8, LONG);
                new Rank(window, gathers).holds(FIRST, 7, 8);
                return true;
              }
            });
    assertThat(all).hasSize(world);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void callsAndReplaysOfOneRequestMix(int world) {
    among(
        world,
        rank -> {
          CallStream stream = stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
            rank.replayed(graph, FIRST, 1, 8);
            rank.replayed(graph, FIRST, 2, 8);
            rank.gathered(stream, FIRST, 3, 16, 3);
            rank.replayed(graph, FIRST, 4, 8);
            rank.gathered(stream, FIRST, 5, 8, 5);
            assertThat(rank.gathers.count()).isEqualTo(1);
          }
        });
  }

  /** Every third call some rank comes late: the others may be there before, never a call ahead. */
  @Test
  void replaysGoOnForEverWithLateRanks() {
    among(
        3,
        rank -> {
          try (CallGraph graph = recorded(rank, stream(1), FIRST, 8)) {
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
          CallStream a = stream(1);
          CallStream b = stream(2);
          rank.gathered(a, FIRST, 1, 8, 1);
          rank.gathered(b, FIRST, 2, 8, 1);
          rank.gathered(a, SECOND, 3, 8, 1);
          assertThat(rank.gathers.count()).isEqualTo(3);
          rank.gathered(a, FIRST, 4, 8, 2);
          assertThatThrownBy(() -> rank.gather(b, SECOND, 8))
              .isInstanceOf(NoSuchElementException.class)
              .hasMessageContaining(
                  "no place for a request: offset=64, length=64, stream=2, places=3");
        });
  }

  /** Ranks give places back in another order, so they use others for the next request. */
  @Test
  void requestsAreDestroyedInAnyOrderAndTheirPlacesUsedAgain() {
    among(
        3,
        rank -> {
          CallStream a = stream(1);
          CallStream b = stream(2);
          for (int round = 0; round < 4; round++) {
            rank.gathered(a, FIRST, 4 * round, 8, 1);
            rank.gathered(b, FIRST, 4 * round + 1, 8, 1);
            rank.gathered(a, SECOND, 4 * round + 2, 8, 1);
            rank.gathered(a, FIRST, 4 * round + 3, 8, 2);
            List<Runnable> destroyed =
                Arrays.asList(
                    () -> rank.gathers.destroy(a, FIRST),
                    () -> rank.gathers.destroy(b, FIRST),
                    () -> rank.gathers.destroy(a, SECOND));
            Collections.rotate(destroyed, rank.window.rank() + round);
            destroyed.subList(0, 2).forEach(Runnable::run);
            if (round % 2 == 0) {
              destroyed.getLast().run();
            } else {
              rank.gathers.close();
            }
            assertThat(rank.gathers.count()).isZero();
          }
          assertThat(rank.gathers.destroy(a, FIRST)).isFalse();
        });
  }

  /** Nobody calls back when a graph goes; the next call of whatever request finds out. */
  @Test
  void whatOnlyAGraphReplayedGoesWithIt() {
    among(
        2,
        rank -> {
          CallStream stream = stream(1);
          CallGraph one = recorded(rank, stream, FIRST, 8);
          CallGraph two = recorded(rank, stream, FIRST, 16);
          rank.replayed(one, FIRST, 1, 8);
          one.close();
          assertThat(rank.gathers.count()).isEqualTo(1);
          rank.replayed(two, FIRST, 2, 16);
          assertThatIllegalStateException().isThrownBy(() -> one.replay(LONG));
          two.close();
          two.close();
          assertThat(rank.gathers.count()).isZero();
          rank.gathered(stream, FIRST, 3, 8, 1);
          try (CallGraph three = recorded(rank, stream, FIRST, 8)) {
            rank.replayed(three, FIRST, 4, 8);
          }
          assertThat(rank.gathers.count()).as("kept for its calls").isEqualTo(1);
        });
  }

  @Test
  void aGraphOfADestroyedRequestSaysSo() {
    among(
        2,
        rank -> {
          CallStream stream = stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
            rank.gathers.destroy(stream, FIRST);
            assertThatIllegalStateException()
                .isThrownBy(() -> graph.replay(LONG))
                .withMessageContaining("request is destroyed: offset=0, length=64, stream=1");
            rank.gathered(stream, FIRST, 1, 8, 1);
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
          CallStream stream = stream(1);
          Region long17 = new Region("w", 376, 16);
          assertThat(rank.gather(stream, long17, 8))
              .isEqualTo(
                  new Answer.Elsewhere(
                      "range leaves the window: offset=376, length=16, rank=1, bytes=384; use memory"
                          + " that is in it on every rank"));
          assertThat(rank.gathers.open(stream, new Region("v", 0, 16))).isPresent();
          assertThat(rank.gathers.open(stream, FIRST)).isEmpty();
          rank.gathered(stream, FIRST, 1, 8, 1);
          assertThat(rank.gathers.count()).isEqualTo(1);
        });
  }

  @Test
  void wrongUseIsRefusedBeforeAnybodyIsTold() {
    among(
        2,
        rank -> {
          CallStream stream = stream(1);
          assertThatIllegalArgumentException()
              .isThrownBy(() -> rank.gather(stream, FIRST, 33))
              .withMessageContaining("range too short: bytes=33, ranks=2, length=64");
          assertThatIllegalArgumentException()
              .isThrownBy(() -> rank.gather(stream, new Region("w", 176, 32), 8))
              .withMessageContaining("range lies where requests are told");
          assertThatThrownBy(() -> rank.gathers.allGather(stream, FIRST, rank.window, 380, 8, LONG))
              .isInstanceOf(IndexOutOfBoundsException.class);
          for (long from : new long[] {4, 12, 190, 196, 260}) {
            assertThatIllegalArgumentException()
                .isThrownBy(() -> rank.gathers.allGather(stream, FIRST, rank.window, from, 8, LONG))
                .withMessageContaining("source lies where peers write: offset=%d, bytes=8", from);
          }
          rank.gathered(stream, FIRST, 1, 8, 1);
          rank.window.write(16, Rank.bytes(rank.window.rank(), 2, 8));
          assertThat(rank.gathers.allGather(stream, FIRST, rank.window, 16, 8, LONG))
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
          GatherSpec spec = new GatherSpec(192, 0, c.rank() == 0 ? 1 : 3, 0);
          CallStream stream = stream(1);
          try (Window window = c.window(WINDOW);
              Gathers gathers = Gathers.over(window, spec, LONG)) {
            if (c.rank() == 0) {
              assertThatThrownBy(() -> gathers.allGather(stream, FIRST, window, FROM, 8, LONG))
                  .isInstanceOf(MachineException.class)
                  .hasMessageContaining(
                      "no such place of a request: rank=0, peer=1, place=1, places=1");
            } else {
              gathers.open(stream, SECOND);
              assertThatThrownBy(() -> gathers.allGather(stream, FIRST, window, FROM, 8, SHORT))
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
          assertThatThrownBy(() -> rank.gather(stream(1), other, 8))
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("ranks call different requests: rank=" + rank.window.rank());
          rank.gathers.reset(LONG);
          rank.gathered(stream(1), FIRST, 1, 8, 1);
        });
  }

  /** Rank 0 has told the others that it is ready, and gives up; they have told it nothing yet. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void behindAFailedCallNothingGoesOnUntilAllAgree(boolean replays) {
    among(
        3,
        rank -> {
          CallStream stream = stream(1);
          try (CallGraph graph = recorded(rank, stream, FIRST, 8)) {
            rank.replayed(graph, FIRST, 1, 8);
            rank.gathered(stream(2), SECOND, 2, 8, 1);
            if (rank.window.rank() == 0) {
              assertThatThrownBy(
                      () -> {
                        if (replays) {
                          graph.replay(SHORT);
                        } else {
                          rank.gathers.allGather(stream, FIRST, rank.window, FROM, 8, SHORT);
                        }
                      })
                  .isInstanceOf(TimeoutException.class);
              for (CallStream any : List.of(stream, stream(2), stream(3))) {
                assertThatIllegalStateException()
                    .isThrownBy(() -> rank.gather(any, any.id() == 2 ? SECOND : FIRST, 8))
                    .withMessageContaining("a call has failed")
                    .withMessageContaining("reset on every rank");
              }
              assertThatIllegalStateException().isThrownBy(() -> graph.replay(LONG));
              rank.gathers.destroy(stream(3), FIRST);
            }
            rank.gathers.reset(LONG);
            rank.replayed(graph, FIRST, 3, 8);
            rank.gathered(stream(2), SECOND, 4, 8, 1);
            rank.gathered(stream, FIRST, 5, 8, 2);
          }
        });
  }

  @Test
  void aResetThatNotAllCameToIsGoneOnWith() {
    among(
        2,
        rank -> {
          rank.gathered(stream(1), FIRST, 1, 8, 1);
          if (rank.window.rank() == 0) {
            assertThatThrownBy(() -> rank.gathers.reset(SHORT))
                .isInstanceOf(TimeoutException.class);
            rank.window.signal(1, OWN, 1);
          } else {
            rank.window.await(0, OWN, Comparison.GE, 1, LONG);
          }
          rank.gathers.reset(LONG);
          rank.gathered(stream(1), FIRST, 2, 8, 1);
        });
  }
}
