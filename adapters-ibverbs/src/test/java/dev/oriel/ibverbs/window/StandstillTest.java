package dev.oriel.ibverbs.window;

import static dev.oriel.domain.window.Comparison.GE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.Team;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Abort;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A device that stalls without a failure. Every wait ends by its own deadline, independent of the
 * waits of other lanes, or by an interrupt. Everything continues when the device does.
 */
final class StandstillTest extends VerbsWindows.Bare {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);

  /** Long enough for the next read of rank 0's memory, at any time. */
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Far shorter than any timeout that a wait could use up instead, and generous otherwise. */
  private static final Duration SOON = Duration.ofSeconds(6);

  private static final WindowSpec SPEC =
      WindowSpec.named("still").withData(DataSizes.uniform(64)).withSignals(3).withBarriers(2);

  private final FakeVerbs verbs = new FakeVerbs();

  @Override
  protected DeviceContext device() {
    return verbs.open();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(verbs.live()).isEmpty();
  }

  private static void late(ThrowingCallable call, String... says) {
    long start = System.nanoTime();
    assertThatExceptionOfType(TimeoutException.class)
        .isThrownBy(call)
        .withMessageContainingAll(says);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
  }

  /** Rank 0's memory is read for the world's abort state meanwhile, without an answer. */
  @Test
  void aWaitEndsByItsDeadline() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(SPEC)) {
            if (c.rank() == 1) {
              verbs.stall();
              late(() -> window.await(0, 0, GE, 1, SECOND), "signal missing", "source=0");
              window.put(0, 0, 0, 8);
              late(() -> window.flush(0, SHORT), "peer=0");
              verbs.resume();
              window.flush(0, LONG);
              window.signal(0, 0, 1);
            } else {
              window.await(1, 0, GE, 1, LONG);
            }
            window.barrier(0, LONG);
          }
          return c;
        });
  }

  @Test
  void aWaitingLaneDoesNotDelayOthersDeadlines() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(SPEC)) {
            if (c.rank() == 0) {
              verbs.stall();
              CountDownLatch waiting = new CountDownLatch(1);
              c.lanes(
                  2,
                  Thread::startVirtualThread,
                  lane -> {
                    Window mine = lane.window(window);
                    if (lane.number() == 0) {
                      mine.put(1, 0, 0, 8);
                      waiting.countDown();
                      mine.flush(1, LONG);
                    } else {
                      awaited(waiting);
                      late(() -> mine.await(1, 0, GE, 1, SHORT), "signal missing");
                      mine.get(1, 0, 8, 8);
                      late(() -> mine.flush(1, SHORT), "peer=1");
                      verbs.resume();
                    }
                  });
            }
            window.barrier(0, LONG);
          }
          return c;
        });
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Rank 1 has an outstanding put, and thus a read comes before an arrival at rank 2. */
  @Test
  void anArrivalIsSignalledToAllRanksOrToNone() {
    Team all = Team.all(3);
    inWorld(
        3,
        c -> {
          try (Window window = c.window(SPEC)) {
            if (c.rank() == 0) {
              for (int peer = 1; peer < 3; peer++) {
                window.await(peer, 0, GE, 1, LONG);
              }
              window.put(1, 0, 0, 8);
              verbs.stall();
              late(() -> window.arrive(1, all, SHORT), "peer=1");
              late(() -> window.barrier(1, SHORT), "peer=1");
              verbs.resume();
              window.signal(2, 1, 1);
              window.await(2, 2, GE, 1, LONG);
            } else {
              window.arrive(1, all, LONG);
              window.signal(0, 0, 1);
            }
            if (c.rank() == 2) {
              window.await(0, 1, GE, 1, LONG);
              late(() -> window.barrier(1, SHORT), "missing=[0]");
              window.signal(0, 2, 1);
            }
            window.barrier(1, LONG);
          }
          return c;
        });
  }

  @Test
  void anInterruptedAbortIsReportedAndKept() {
    inWorld(
        2,
        c -> {
          if (c.rank() == 1) {
            verbs.stall();
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(MachineException.class)
                .isThrownBy(() -> c.abort("no power"))
                .withMessageContainingAll("interrupted", "rank=1", "no power");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(c.aborted()).isEmpty();
            verbs.resume();
          }
          Optional<Abort> reported = c.aborted();
          long end = System.nanoTime() + LONG.toNanos();
          while (reported.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(1);
            reported = c.aborted();
          }
          assertThat(reported).contains(new Abort(1, "no power"));
          return c;
        });
  }

  @Test
  void anInterruptedWaitForRoomIsReported() {
    inWorld(
        2,
        c -> {
          try (Window window = c.window(SPEC)) {
            if (c.rank() == 1) {
              verbs.stall();
              Thread.currentThread().interrupt();
              assertThatExceptionOfType(MachineException.class)
                  .isThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                      window.put(0, 0, 0, 8);
                    }
                  })
                  .withMessageContainingAll("interrupted", "peer=0");
              assertThat(Thread.interrupted()).isTrue();
              verbs.resume();
            }
            window.barrier(0, LONG);
          }
          return c;
        });
  }
}
