package dev.oriel.cuda.persistent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.cuda.window.SharedGpus;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.RankThreads;
import dev.oriel.ports.persistent.CallResult;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Behaviour when callers capture and replay; runs if there are GPUs. */
@ExtendWith(SharedGpus.class)
final class GpuReplayTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(80);
  private static final int WORLD = 2;

  /** The most bytes of a rank's share. */
  private static final int MOST = 1 << 20;

  private static final long FROM = 2L * MOST;
  private static final CallSpec SPEC = new CallSpec(4L * MOST, 0, 3, 0);
  private static final WindowSpec WINDOW =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(SPEC.control() + SPEC.controlBytes(WORLD)))
          .withSignals(SPEC.signalCount())
          .withBarriers(2);
  private static final WindowRegion OUT = new WindowRegion("w", 0, 2L * MOST);

  /** One rank's part. */
  @FunctionalInterface
  private interface Part {
    void run(Rank rank) throws Exception;
  }

  private record Rank(GpuWindow window, PersistentCalls calls) {
    Gpu gpu() {
      return window.gpu();
    }

    static byte[] bytes(int rank, long call, int length) {
      byte[] bytes = new byte[length];
      new SplittableRandom(1000L * call + rank).nextBytes(bytes);
      return bytes;
    }

    void fill(long call, int length) {
      window.write(FROM, bytes(window.rank(), call, length));
    }

    void holds(long call, int length) {
      for (int rank = 0; rank < WORLD; rank++) {
        byte[] all = window.read((long) rank * length, length);
        assertThat(Arrays.equals(all, bytes(rank, call, length))).as("call=%d", call).isTrue();
      }
    }

    CallResult gather(GpuStream stream, int length, Duration deadline) throws TimeoutException {
      return calls.allGather(stream, OUT, window, FROM, length, deadline);
    }

    /** The caller's own stream and graph, in which a call is recorded. */
    DriverGraph recordedIn(DriverStream mine, int length) throws TimeoutException {
      mine.capture();
      assertThat(gather(GpuStream.external(gpu(), mine.handle()), length, LONG))
          .isEqualTo(new CallResult.Recorded());
      return mine.captured();
    }

    /** A graph that the library does not know of. */
    void replay(DriverGraph graph, DriverStream mine) {
      graph.replay();
      mine.synchronize();
    }
  }

  private static void among(Part part) {
    List<Bootstrap> group = InProcessBootstrap.group(WORLD, LONG);
    List<Throwable> failures =
        RankThreads.all(
            group,
            bootstrap -> {
              try (Communicator c = SharedGpus.get().join(bootstrap);
                  GpuWindow window = GpuWindow.of(c.window(WINDOW));
                  PersistentCalls calls =
                      PersistentCalls.over(
                          window, SPEC, GpuCalls.over(window, SPEC, System::nanoTime), LONG)) {
                try {
                  part.run(new Rank(window, calls));
                  return new Throwable("fine");
                } catch (Exception | AssertionError e) {
                  return e;
                }
              }
            });
    group.forEach(Bootstrap::close);
    for (Throwable failure : failures) {
      if (!"fine".equals(failure.getMessage())) {
        throw new AssertionError("a rank failed: " + failure, failure);
      }
    }
  }

  @Test
  void replaysOfTheCallersGraphMixWithEagerCalls() {
    among(rank -> {
      try (DriverStream mine = rank.gpu().stream()) {
        DriverGraph graph = rank.recordedIn(mine, 4096);
        GpuStream external = GpuStream.external(rank.gpu(), mine.handle());
        for (int call = 1; call <= 300; call += 3) {
          rank.fill(call, 4096);
          rank.replay(graph, mine);
          rank.holds(call, 4096);
          rank.fill(call + 1, 4096);
          rank.replay(graph, mine);
          rank.holds(call + 1, 4096);
          rank.window().barrier(1, LONG);
          if (call < 10) {
            rank.fill(call + 2, 333);
            assertThat(rank.gather(external, 333, LONG)).isEqualTo(new CallResult.Done(call));
            rank.holds(call + 2, 333);
          } else {
            rank.replay(graph, mine);
          }
          rank.window().barrier(1, LONG);
        }
        graph.close();
        rank.calls().destroy(ExchangePattern.ALL_GATHER, external, OUT);
      }
    });
  }

  @Test
  void aDestroyedGraphIsDetected() {
    among(rank -> {
      try (DriverStream mine = rank.gpu().stream()) {
        DriverGraph graph = rank.recordedIn(mine, 64);
        DriverGraph second = rank.recordedIn(mine, 128);
        rank.replay(graph, mine);
        assertThat(rank.calls().count()).isEqualTo(1);
        graph.close();
        rank.replay(second, mine);
        assertThat(rank.calls().count()).isEqualTo(1);
        second.close();
        long since = System.nanoTime();
        while (rank.calls().count() > 0) {
          assertThat(System.nanoTime() - since).isLessThan(LONG.toNanos());
          Thread.sleep(1);
        }
      }
    });
  }

  /** On each rank: no allocation, no mapping, no loaded kernel. */
  @Test
  void laterCallsOfARequestPrepareNothing() {
    among(rank -> {
      try (GpuStream stream = GpuStream.on(rank.gpu(), 1)) {
        rank.fill(1, 8);
        rank.gather(stream, 8, LONG);
        stream.capture();
        rank.gather(stream, 8, LONG);
        try (GpuGraph graph = stream.captured()) {
          graph.replay(LONG);
          rank.window().barrier(1, LONG);
          long before = rank.gpu().preparations();
          for (int call = 1; call <= 50; call++) {
            int length = 1 + call * 20_001;
            rank.fill(call, length);
            rank.gather(stream, length, LONG);
            rank.holds(call, length);
            graph.replay(LONG);
          }
          assertThat(rank.gpu().preparations()).isEqualTo(before);
          rank.window().barrier(1, LONG);
        }
      }
    });
  }

  /** Recorded calls of a destroyed request do nothing, in every replay. */
  @Test
  void aGraphOfADestroyedRequestDoesNothing() {
    among(rank -> {
      try (DriverStream mine = rank.gpu().stream();
          GpuStream other = GpuStream.on(rank.gpu(), 5)) {
        try (DriverGraph graph = rank.recordedIn(mine, 64)) {
          GpuStream external = GpuStream.external(rank.gpu(), mine.handle());
          rank.fill(1, 64);
          rank.replay(graph, mine);
          rank.holds(1, 64);
          rank.window().barrier(1, LONG);
          rank.calls().destroy(ExchangePattern.ALL_GATHER, external, OUT);
          // Takes the place of the request before.
          rank.fill(2, 64);
          assertThat(rank.gather(other, 64, LONG)).isEqualTo(new CallResult.Done(1));
          rank.window().barrier(1, LONG);
          rank.fill(3, 64);
          rank.replay(graph, mine);
          rank.window().barrier(1, LONG);
          rank.holds(2, 64);
        }
      }
    });
  }

  /** Rank 0 times out; replays of any graph do nothing until all ranks have called reset. */
  @Test
  void afterAFailedCallTheCallersGraphDoesNothingUntilReset() {
    among(rank -> {
      try (DriverStream mine = rank.gpu().stream()) {
        GpuStream external = GpuStream.external(rank.gpu(), mine.handle());
        try (DriverGraph graph = rank.recordedIn(mine, 64)) {
          rank.fill(1, 64);
          rank.replay(graph, mine);
          rank.holds(1, 64);
          rank.window().barrier(1, LONG);
          rank.fill(2, 64);
          assertThat(rank.gather(external, 64, LONG)).isEqualTo(new CallResult.Done(1));
          rank.holds(2, 64);
          rank.window().barrier(1, LONG);
          if (rank.window().rank() == 0) {
            assertThatThrownBy(() -> rank.gather(external, 64, SHORT))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("call=2, missing=[1]");
            rank.replay(graph, mine);
            assertThatIllegalStateException()
                .isThrownBy(() -> rank.gather(external, 64, LONG))
                .withMessageContaining("a call has failed");
          }
          rank.window().barrier(1, LONG);
          rank.calls().reset(LONG);
          rank.fill(3, 64);
          assertThat(rank.gather(external, 64, LONG)).isEqualTo(new CallResult.Done(1));
          rank.holds(3, 64);
          rank.fill(4, 64);
          rank.window().barrier(1, LONG);
          rank.replay(graph, mine);
          rank.holds(4, 64);
        }
      }
    });
  }

  /**
   * Rank 0's own work in its stream lasts longer than the deadline of the call after it. That call
   * must not begin after a reset: nothing is reset, closed or freed before the work ends.
   */
  @Test
  void aResetWaitsForCallsAfterTheCallersOwnWork() {
    among(rank -> {
      try (DriverStream mine = rank.gpu().stream();
          Blocker work = new Blocker(rank.gpu())) {
        GpuStream external = GpuStream.external(rank.gpu(), mine.handle());
        rank.fill(1, 64);
        assertThat(rank.gather(external, 64, LONG)).isEqualTo(new CallResult.Done(1));
        rank.window().barrier(1, LONG);
        if (rank.window().rank() == 0) {
          work.block(mine);
          assertThatThrownBy(() -> rank.gather(external, 64, SHORT))
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("stream does not end")
              .hasMessageContaining("work of your own");
          assertThatThrownBy(() -> rank.calls().reset(SHORT))
              .isInstanceOf(TimeoutException.class)
              .hasMessageContaining("stream is busy");
          assertThatThrownBy(() -> rank.window().close())
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("calls over the window are open");
          work.end();
        } else {
          assertThatThrownBy(() -> rank.gather(external, 64, SHORT))
              .isInstanceOf(TimeoutException.class)
              .hasMessageContaining("missing=[0]");
        }
        rank.calls().reset(LONG);
        for (int call = 1; call <= 3; call++) {
          rank.fill(10 + call, 64);
          assertThat(rank.gather(external, 64, LONG)).isEqualTo(new CallResult.Done(call));
          rank.holds(10 + call, 64);
          rank.window().barrier(1, LONG);
        }
      }
    });
  }

  /** Ranks wait for late ones, at all sizes; no rank is a call ahead. */
  @Test
  void replaysContinueWithLatePeers() {
    among(rank -> {
      SplittableRandom late = new SplittableRandom(rank.window().rank());
      try (GpuStream stream = GpuStream.on(rank.gpu(), 1)) {
        stream.capture();
        rank.gather(stream, MOST, LONG);
        try (GpuGraph graph = stream.captured()) {
          for (int call = 1; call <= 200; call++) {
            rank.fill(call, MOST);
            if (late.nextInt(4) == 0) {
              Thread.sleep(0, late.nextInt(900_000));
            }
            graph.replay(LONG);
            rank.holds(call, MOST);
          }
        }
      }
    });
  }
}
