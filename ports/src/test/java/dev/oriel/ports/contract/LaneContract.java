package dev.oriel.ports.contract;

import static dev.oriel.domain.window.Comparison.EQ;
import static dev.oriel.domain.window.Comparison.GE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.RemoteRange;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.domain.window.WindowView;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The concurrent uses of windows and communicators that lanes of a rank are allowed; see {@link
 * Lane}. Machines have at least three lanes.
 */
public abstract class LaneContract extends WorldFixture {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(80);
  private static final Executor THREADS = Thread::startVirtualThread;
  private static final int WORLD = 3;

  /** Rank r has 48 (r + 1) bytes. */
  private static final WindowSpec UNEVEN =
      WindowSpec.named("u")
          .withData(DataSizes.perRank(LongStream.range(0, WORLD).map(r -> 48 * (r + 1)).toArray()))
          .withSignals(3)
          .withCounters(3)
          .withBarriers(3);

  private static final WindowSpec EVEN =
      WindowSpec.named("e").withData(DataSizes.uniform(96)).withSignals(3).withBarriers(3);

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 13 + seed);
    }
    return bytes;
  }

  private static int next(Communicator c) {
    return (c.rank() + 1) % WORLD;
  }

  private static int last(Communicator c) {
    return (c.rank() + WORLD - 1) % WORLD;
  }

  /** Each lane forwards its own messages, round after round, while the other does the same. */
  @Test
  void twoLanesUseOneWindowAtOnce() {
    inWorld(
        WORLD,
        c -> {
          try (Window shared = c.window(EVEN)) {
            c.lanes(
                2,
                THREADS,
                lane -> {
                  Window window = lane.window(shared);
                  int id = lane.number();
                  long at = 48L * id;
                  for (int round = 1; round <= 5; round++) {
                    window.write(at, bytes(16, c.rank() + 7 * id + round));
                    window.put(next(c), at + 16, at, 16);
                    window.signal(next(c), id, 1);
                    window.await(last(c), id, GE, round, LONG);
                    assertThat(window.read(at + 16, 16))
                        .isEqualTo(bytes(16, last(c) + 7 * id + round));
                    window.barrier(id, LONG);
                  }
                });
            assertThat(shared.signalValue(last(c), 0)).isEqualTo(5);
            assertThat(shared.signalValue(last(c), 1)).isEqualTo(5);
          }
          return c;
        });
  }

  /**
   * Everything before the lanes happens before each lane, and each lane's code happens before
   * everything after.
   */
  @Test
  void lanesAreOrderedAfterEarlierAndBeforeLaterWork() {
    inWorld(
        WORLD,
        c -> {
          try (Window shared = c.window(EVEN);
              LocalBuffer source = c.buffer(32)) {
            for (int round = 1; round <= 3; round++) {
              source.write(0, bytes(32, c.rank() + round));
              shared.barrier(0, LONG);
              c.lanes(
                  3,
                  THREADS,
                  lane -> {
                    Window window = lane.window(shared);
                    long at = 8L * lane.number();
                    // No flush and no signal: the end of the lane is enough.
                    window.put(next(c), at, lane.buffer(source), at, 8);
                    window.get(next(c), 40, 48 + at, 8);
                  });
              assertThat(shared.read(48, 24)).containsOnly(0);
              source.write(0, new byte[32]);
              shared.signal(next(c), 0, 1);
              shared.await(last(c), 0, EQ, round, LONG);
              assertThat(shared.read(0, 24))
                  .isEqualTo(Arrays.copyOf(bytes(32, last(c) + round), 24));
            }
          }
          return c;
        });
  }

  /** Any lane, and afterwards the host, sees a signal: a slot has one writer and many readers. */
  @Test
  void anyLaneMayAwaitWhatAnyLaneSignals() {
    inWorld(
        WORLD,
        c -> {
          try (Window shared = c.window(EVEN)) {
            c.lanes(
                3,
                THREADS,
                lane -> {
                  Window window = lane.window(shared);
                  int mine = lane.number();
                  window.write(48 + 8L * mine, bytes(8, c.rank() + mine));
                  window.put(next(c), 8L * mine, 48 + 8L * mine, 8);
                  window.signal(next(c), mine, 1);
                  int other = (mine + 1) % 3;
                  window.await(last(c), other, EQ, 1, LONG);
                  assertThat(window.read(8L * other, 8)).isEqualTo(bytes(8, last(c) + other));
                });
          }
          return c;
        });
  }

  @Test
  void aSlotBelongsToOneLane() {
    inWorld(
        WORLD,
        c -> {
          try (Window shared = c.window(UNEVEN)) {
            shared.signal(next(c), 0, 1);
            shared.putCounted(next(c), 8, shared, 0, 8, 0);
            shared.barrier(0, LONG);
            c.lanes(
                2,
                THREADS,
                lane -> {
                  if (lane.number() == 1) {
                    Window window = lane.window(shared);
                    refused(() -> window.signal(next(c), 0, 1), "use=SIGNAL");
                    refused(() -> window.putCounted(next(c), 0, shared, 0, 8, 0), "use=COUNTER");
                    refused(() -> window.counterValue(next(c), 0), "use=COUNTER");
                    refused(() -> window.barrier(0, LONG), "use=BARRIER");
                    refused(() -> window.arrive(0, Team.all(WORLD), LONG), "use=BARRIER");
                    window.signal(next(c), 1, 1);
                  }
                });
            refused(() -> shared.signal(next(c), 1, 1), "lane=0, used by lane=1");
            shared.barrier(0, LONG);
          }
          return c;
        });
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(why);
  }

  /** Lane 0 sends around the ring in one window, lane 1 in another, lane 2 in both. */
  @Test
  void twoWindowsOfOtherSizesAreUsedInAllLanes() {
    inWorld(
        WORLD,
        c -> {
          try (Window one = c.window(UNEVEN);
              Window two = c.window(EVEN)) {
            WindowView pieces = one.share(new WindowRegion("u", 24L * (c.rank() + 1), 24));
            RemoteRange piece = pieces.range(next(c));
            c.lanes(
                3,
                THREADS,
                lane -> {
                  int id = lane.number();
                  Window mine = lane.window(one);
                  Window other = lane.window(two);
                  for (int round = 1; round <= 3; round++) {
                    if (id != 1) {
                      mine.write(8L * id, bytes(4, 3 * c.rank() + id + round));
                      mine.put(piece, 8L * id, mine, 8L * id, 4);
                      mine.signal(next(c), id, 1);
                    }
                    if (id != 0) {
                      other.write(48 + 8L * id, bytes(8, c.rank() + id + round));
                      other.put(next(c), 8L * id, other, 48 + 8L * id, 8);
                      other.signal(next(c), id, 1);
                    }
                    if (id != 1) {
                      mine.await(last(c), id, GE, round, LONG);
                      assertThat(mine.read(24L * (c.rank() + 1) + 8L * id, 4))
                          .isEqualTo(bytes(4, 3 * last(c) + id + round));
                    }
                    if (id != 0) {
                      other.await(last(c), id, GE, round, LONG);
                      assertThat(other.read(8L * id, 8)).isEqualTo(bytes(8, last(c) + id + round));
                    }
                    // All ranks have read the arrived bytes.
                    (id == 0 ? mine : other).barrier(id, LONG);
                  }
                });
          }
          return c;
        });
  }

  @Test
  void lanesCannotMakeCollectiveCalls() {
    inWorld(
        2,
        c -> {
          try (Window shared = c.window(EVEN)) {
            c.lanes(
                2,
                THREADS,
                lane -> {
                  if (lane.number() == 1) {
                    Window window = lane.window(shared);
                    assertThat(lane.window(shared)).isSameAs(window);
                    assertThat(window.view()).isEqualTo(shared.view());
                    assertThat(window.generation()).isEqualTo(shared.generation());
                    assertThatExceptionOfType(MachineException.class)
                        .isThrownBy(window::close)
                        .withMessageContaining("lane=1");
                    assertThatExceptionOfType(MachineException.class)
                        .isThrownBy(() -> window.share(new WindowRegion("e", 0, 8)))
                        .withMessageContaining("lane=1");
                    assertThatExceptionOfType(MachineException.class)
                        .isThrownBy(() -> c.lanes(2, THREADS, inner -> {}))
                        .withMessageContaining("lanes within a lane");
                  } else {
                    assertThat(lane.window(shared)).isSameAs(shared);
                  }
                });
            assertThatIllegalArgumentException().isThrownBy(() -> c.lanes(0, THREADS, lane -> {}));
          }
          return c;
        });
  }

  @Test
  void theLowestFailingLaneIsReportedAndAllLanesEnd() {
    AtomicIntegerArray ended = new AtomicIntegerArray(2);
    inWorld(
        2,
        c -> {
          try (Window shared = c.window(EVEN)) {
            assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() ->
                    c.lanes(
                        3,
                        THREADS,
                        lane -> {
                          Window window = lane.window(shared);
                          if (lane.number() == 0) {
                            window.signal(1 - c.rank(), 1, 1);
                            window.await(1 - c.rank(), 1, EQ, 1, LONG);
                            ended.incrementAndGet(c.rank());
                          } else if (lane.number() == 1) {
                            window.await(1 - c.rank(), 0, GE, 1, SHORT);
                          } else {
                            throw new IllegalStateException("broken");
                          }
                        }))
                .withMessageContaining("id=0")
                .satisfies(e ->
                    assertThat(e.getSuppressed()).singleElement().asString().contains("broken"));
            shared.barrier(2, LONG);
          }
          return c;
        });
    assertThat(ended.get(0) + ended.get(1)).isEqualTo(2);
  }
}
