package dev.oriel.ibverbs.window;

import static dev.oriel.domain.window.Comparison.EQ;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Window;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Windows on a device that reports writes before they are placed, as devices may. */
final class LateWritesTest extends VerbsWindows.Windows {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final WindowSpec SPEC =
      WindowSpec.named("late").withData(DataSizes.uniform(64)).withSignals(2).withBarriers(1);

  private final FakeVerbs verbs = new FakeVerbs();

  LateWritesTest() {
    verbs.late();
  }

  @Override
  protected DeviceContext device() {
    return verbs.open();
  }

  /** The part of one of three ranks, and the contents of its part of the window afterwards. */
  @FunctionalInterface
  private interface Part {
    void run(Window window) throws Exception;
  }

  /** The byte that rank 0 put to rank 1. */
  private byte found(Part first, Part second, Part third) {
    List<Byte> found =
        inWorld(
            3,
            c -> {
              try (Window window = c.window(SPEC)) {
                List.of(first, second, third).get(c.rank()).run(window);
                return window.read(8, 1)[0];
              }
            });
    return found.get(1);
  }

  private static void put(Window window) throws Exception {
    window.write(0, new byte[] {7});
    window.put(1, 8, 0, 1);
    window.flush(1, LONG);
  }

  /** The device is late: rank 2 learns of the put by other means than the window. */
  @Test
  void aFlushedWriteMayNotBePlacedYet() {
    CountDownLatch flushed = new CountDownLatch(1);
    byte[] early = {7};
    byte ignored =
        found(
            window -> {
              put(window);
              flushed.countDown();
              window.await(1, 1, EQ, 1, LONG);
            },
            window -> {
              window.await(2, 0, EQ, 1, LONG);
              early[0] = window.read(8, 1)[0];
              window.signal(0, 1, 1);
            },
            window -> {
              flushed.await();
              window.signal(1, 0, 1);
            });
    assertThat(early[0]).isZero();
  }

  @Test
  void aSignalThroughAThirdRankImpliesTheWrite() {
    assertThat(
            found(
                window -> {
                  put(window);
                  window.signal(2, 0, 1);
                },
                window -> window.await(2, 0, EQ, 1, LONG),
                window -> {
                  window.await(0, 0, EQ, 1, LONG);
                  window.signal(1, 0, 1);
                }))
        .isEqualTo((byte) 7);
  }

  @Test
  void aSignalImpliesTheWrite() {
    byte[] got = new byte[1];
    byte ignored =
        found(
            window -> {
              put(window);
              window.signal(2, 0, 1);
            },
            window -> {},
            window -> {
              window.await(0, 0, EQ, 1, LONG);
              window.get(1, 8, 16, 1);
              window.flush(1, LONG);
              got[0] = window.read(16, 1)[0];
            });
    assertThat(got[0]).isEqualTo((byte) 7);
  }
}
