package dev.oriel.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.device.DeviceFailure.Operation;
import dev.oriel.cuda.device.DeviceFailure.Result;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.cuda.window.TestDevices;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.RankThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Device handles over windows in memory of the host; threads of the host run the kernels. */
@EnabledOnOs(OS.LINUX)
final class DeviceHandleTest {
  private static final Duration LONG = Duration.ofSeconds(40);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final long PLENTY = 1 << 24;

  @TempDir private static Path folder;
  private static HostKernels kernels;

  @BeforeAll
  static void compile() throws Exception {
    HostKernels.requireCompiler();
    kernels = new HostKernels(folder);
  }

  @AfterAll
  static void unload() {
    if (kernels != null) {
      kernels.close();
    }
  }

  /** One rank's part. */
  @FunctionalInterface
  private interface Part<R> {
    R run(Communicator member, GpuWindow window) throws Exception;
  }

  /** One rank's part that needs the window alone. */
  @FunctionalInterface
  private interface WindowPart<R> {
    R run(GpuWindow window) throws Exception;
  }

  private static <R> List<R> among(int world, WindowSpec spec, WindowPart<R> part) {
    return inWorld(world, spec, (member, window) -> part.run(window));
  }

  private static <R> List<R> inWorld(int world, WindowSpec spec, Part<R> part) {
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    try {
      return RankThreads.all(
          group,
          bootstrap -> {
            try (Communicator c = TestDevices.onHost(bootstrap, PLENTY);
                Window window = c.window(spec)) {
              return part.run(c, GpuWindow.of(window));
            }
          });
    } finally {
      group.forEach(Bootstrap::close);
    }
  }

  private static WindowSpec bytes(long bytes) {
    return WindowSpec.named("w").withData(DataSizes.uniform(bytes));
  }

  private static DeviceHandle over(Window window, int signals, int barriers) {
    return DeviceHandle.over(window, new DeviceSlots(signals, barriers, 0), System::nanoTime);
  }

  @ParameterizedTest
  @CsvSource({"2, 6", "3, 5", "1, 8", "4, 1", "5, 3"})
  @Sampled(every = 3)
  void everyOperationMovesTheRightBytes(int world, int threads) {
    List<List<Long>> tallies =
        among(
            world,
            ContractKernels.window(world),
            window -> {
              try (DeviceHandle handle =
                  DeviceHandle.over(window, ContractKernels.SLOTS, System::nanoTime)) {
                long wrong = 0;
                long failed = 0;
                for (int launch = 0; launch < 3; launch++) {
                  List<Long> one = kernels.launch(handle, world, launch, threads);
                  wrong += one.get(0);
                  failed += one.get(1);
                }
                assertThat(handle.failure()).isEmpty();
                return List.of(wrong, failed);
              }
            });
    assertThat(tallies).containsOnly(List.of(0L, 0L));
  }

  @Test
  void javaAndTheKernelsAgreeOnSizes() {
    for (int world = 1; world <= 5; world++) {
      assertThat((long) kernels.number("contract_bytes", world))
          .isEqualTo(ContractKernels.window(world).data().of(0));
      assertThat((long) kernels.number("contract_scratch", world))
          .isEqualTo(ContractKernels.scratch(world));
    }
  }

  /** The example of the page adds the tile of each launch, not that of an earlier one. */
  @Test
  void theExampleIsRightInEveryLaunch() {
    int world = 3;
    among(
        world,
        bytes(4096),
        window -> {
          try (DeviceHandle handle = over(window, 0, 1)) {
            for (int launch = 0; launch < 20; launch++) {
              float[] tile = new float[50];
              Arrays.fill(tile, 10 * launch + window.rank());
              float[] sums = new float[50];
              Arrays.fill(sums, tile[0] + 10 * launch + (window.rank() + world - 1) % world);
              assertThat(kernels.ring(handle, tile, 4)).isEqualTo(sums);
            }
            return handle.failure();
          }
        });
  }

  /** Parts of different sizes: a put is checked against the part of its owner. */
  @Test
  void aPutThatLeavesThePeersPartIsRefusedAndMovesNothing() {
    WindowSpec spec = WindowSpec.named("w").withData(DataSizes.perRank(64, 16));
    CyclicBarrier turn = new CyclicBarrier(2);
    among(
        2,
        spec,
        window -> {
          try (DeviceHandle handle = over(window, 0, 0)) {
            if (window.rank() == 0) {
              assertThat(kernels.put(handle, 1, 8, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}))
                  .isEqualTo(Result.OK);
              assertThat(handle.failure()).isEmpty();
              assertThat(kernels.put(handle, 1, 9, new byte[8])).isEqualTo(Result.OUT_OF_RANGE);
              assertThat(handle.failure())
                  .contains(new DeviceFailure(Result.OUT_OF_RANGE, Operation.PUT, 9, 1, 8, 16));
              assertThat(handle.failure().get().message())
                  .isEqualTo(
                      "put out of range: peer=1, offset=9, bytes=8, part=16; stay inside the part of a mapped peer");
              handle.renew();
              assertThat(handle.failure()).isEmpty();
              assertThat(kernels.put(handle, 2, 0, new byte[1])).isEqualTo(Result.OUT_OF_RANGE);
              assertThat(kernels.put(handle, 1, -1, new byte[1])).isEqualTo(Result.OUT_OF_RANGE);
              assertThat(kernels.barrier(handle, 0, -1)).isEqualTo(Result.OUT_OF_RANGE);
            }
            turn.await();
            if (window.rank() == 1) {
              assertThat(window.read(0, 16))
                  .containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);
            }
            return turn.await();
          }
        });
  }

  @Test
  void aWaitEndsWhenItsTimeoutIsOver() {
    among(
        2,
        bytes(8),
        window -> {
          try (DeviceHandle handle = over(window, 2, 1)) {
            handle.timeout(SHORT);
            if (window.rank() == 0) {
              assertThat(kernels.await(handle, 1, 1, 5, 6)).isEqualTo(Result.TIMED_OUT);
              assertThat(handle.failure().orElseThrow().message())
                  .isEqualTo("wait from timed out: peer=1, id=1, wanted=5, seen=0");
              // Later waits of the rank end soon, with the first reason.
              handle.timeout(LONG);
              assertThat(kernels.await(handle, 1, 0, 1, 6)).isEqualTo(Result.TIMED_OUT);
              assertThat(handle.failure().orElseThrow().id()).isEqualTo(1);
            }
            return window.rank();
          }
        });
  }

  /** The round that one rank entered before its wait ended is the one in which the others pass. */
  @Test
  void aBarrierThatTimedOutIsRepeatedByItsWait() {
    CyclicBarrier turn = new CyclicBarrier(2);
    among(
        2,
        bytes(8),
        window -> {
          try (DeviceHandle handle = over(window, 0, 1)) {
            handle.timeout(SHORT);
            if (window.rank() == 0) {
              assertThat(kernels.barrier(handle, 0, 1)).isEqualTo(Result.TIMED_OUT);
              assertThat(handle.failure().orElseThrow().message())
                  .isEqualTo("barrier timed out: peer=1, id=0, wanted=1, seen=0");
            }
            turn.await();
            if (window.rank() == 1) {
              assertThat(kernels.barrier(handle, 0, -1)).isEqualTo(Result.OK);
            }
            return turn.await();
          }
        });
  }

  @Test
  void theHostEndsAWait() {
    among(
        2,
        bytes(8),
        window -> {
          try (DeviceHandle handle = over(window, 1, 0)) {
            handle.timeout(LONG);
            if (window.rank() == 0) {
              Thread kernel = Thread.ofPlatform().start(() -> kernels.await(handle, 1, 0, 1, 6));
              try {
                assertThat(handle.await(() -> !kernel.isAlive(), SHORT))
                    .hasValueSatisfying(f -> assertThat(f.result()).isEqualTo(Result.ABORTED));
              } finally {
                kernel.join(); // it reads memory of the window
              }
            }
            return window.rank();
          }
        });
  }

  @Test
  void anAbortOfTheWorldEndsEveryWait() {
    CyclicBarrier made = new CyclicBarrier(2);
    inWorld(
        2,
        bytes(8),
        (member, window) -> {
          try (DeviceHandle handle = over(window, 1, 0)) {
            handle.timeout(LONG);
            made.await();
            if (window.rank() == 1) {
              return member.abort("a test");
            }
            Thread kernel = Thread.ofPlatform().start(() -> kernels.await(handle, 1, 0, 1, 6));
            try {
              assertThatThrownBy(() -> handle.await(() -> !kernel.isAlive(), LONG))
                  .isInstanceOf(AbortedException.class);
            } finally {
              kernel.join(); // it reads memory of the window
            }
            return window.rank();
          }
        });
  }

  @Test
  void slotsThatDifferAreRefusedOnEveryRank() {
    assertThatThrownBy(() ->
            among(
                2,
                bytes(8),
                window -> {
                  try (DeviceHandle handle = over(window, 1 + window.rank(), 0)) {
                    return handle.words();
                  }
                }))
        .hasRootCauseInstanceOf(BootstrapException.class)
        .hasMessageContaining("signals=1")
        .hasMessageContaining("signals=2");
  }

  @Test
  void aClosedHandleIsRefused() {
    among(
        1,
        bytes(8),
        window -> {
          DeviceHandle handle = over(window, 1, 1);
          assertThatThrownBy(window::close)
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("calls over the window are open");
          handle.close();
          handle.close();
          assertThatThrownBy(handle::words)
              .isInstanceOf(MachineException.class)
              .hasMessageContaining("device handle is closed: window=w, rank=0");
          return handle;
        });
  }

  @Test
  void countsAndTimeoutAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> new DeviceSlots(-1, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new DeviceSlots(0, 1 << 17, 0));
    among(
        1,
        bytes(8),
        window -> {
          try (DeviceHandle handle = over(window, 0, 0)) {
            assertThatIllegalArgumentException().isThrownBy(() -> handle.timeout(Duration.ZERO));
            return handle.words().length;
          }
        });
  }
}
