package dev.oriel.cuda.device;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.KernelLaunch;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.RankThreads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;

/**
 * The contract of device handles on the GPUs of this host: {@code window_kernels.cu}, compiled to
 * PTX by nvcc, with every byte checked by the kernels.
 */
public final class GpuContract {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  /** A stream holds about a thousand launches; the host then waits. */
  private static final int BATCH = 200;

  private final String ptx;
  private final int launches;
  private final int replays;
  private final int threads;
  private final CyclicBarrier turn;

  private GpuContract(String ptx, int world, int launches, int replays, int threads) {
    this.ptx = ptx;
    this.launches = launches;
    this.replays = replays;
    this.threads = threads;
    turn = new CyclicBarrier(world);
  }

  /** Arguments: file with PTX, ranks, launches, replays of a graph, threads of a block. */
  public static void main(String[] arguments) throws Exception {
    String ptx = Files.readString(Path.of(arguments[0]));
    int world = Integer.parseInt(arguments[1]);
    GpuContract contract =
        new GpuContract(
            ptx,
            world,
            Integer.parseInt(arguments[2]),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]));
    List<Bootstrap> group = InProcessBootstrap.group(world, LONG);
    List<String> said =
        RankThreads.all(
            group,
            bootstrap -> {
              try (Communicator c = GpuCommunicators.byRank(System::nanoTime).join(bootstrap);
                  GpuWindow window = GpuWindow.of(c.window(ContractKernels.window(world)))) {
                return contract.run(window);
              }
            });
    group.forEach(Bootstrap::close);
    said.forEach(System.out::println);
    if (!said.stream().allMatch(line -> line.contains("wrong=0, failed=0"))) {
      System.exit(1);
    }
  }

  private String run(GpuWindow window) throws Exception {
    Gpu gpu = window.gpu();
    try (DeviceHandle handle = DeviceHandle.over(window, ContractKernels.SLOTS, System::nanoTime);
        ResourceStack owned = new ResourceStack()) {
      long scratch = allocate(gpu, ContractKernels.scratch(window.world()), owned);
      long tally = allocate(gpu, 2L * Long.BYTES, owned);
      long count = allocate(gpu, Long.BYTES, owned);
      KernelFunction once = owned.add(gpu.load(ptx, "contract_launch"));
      KernelFunction again = owned.add(gpu.load(ptx, "contract_replay"));
      DriverStream stream = owned.add(gpu.stream());
      KernelLaunch eager = owned.add(launch(once, handle, scratch, tally, 0));
      turn.await();
      long start = System.nanoTime();
      for (int launch = 0; launch < launches; launch++) {
        eager.set(3, launch);
        stream.launch(eager);
        if (launch % BATCH == BATCH - 1) {
          require(handle.await(stream::idle, LONG));
        }
      }
      require(handle.await(stream::idle, LONG));
      double eagerMicros = (System.nanoTime() - start) / 1e3 / launches;
      gpu.write(count, new long[] {launches});
      KernelLaunch replayed = owned.add(launch(again, handle, scratch, tally, count));
      DriverGraph graph = owned.add(stream.capture(() -> stream.launch(replayed)));
      turn.await();
      start = System.nanoTime();
      for (int replay = 0; replay < replays; replay++) {
        graph.replay();
        if (replay % BATCH == BATCH - 1) {
          require(handle.await(stream::idle, LONG));
        }
      }
      require(handle.await(stream::idle, LONG));
      double replayMicros = (System.nanoTime() - start) / 1e3 / Math.max(1, replays);
      long[] found = gpu.readWords(tally, 2);
      String late = window.world() == 1 ? "not tried" : late(window, handle, eager, stream);
      return "rank=%d, launches=%d, %.1f us each; replays=%d, %.1f us each; wrong=%d, failed=%d; a rank that launches nothing: %s"
          .formatted(
              window.rank(),
              launches,
              eagerMicros,
              replays,
              replayMicros,
              found[0],
              found[1],
              late);
    }
  }

  /** Rank 0 launches once more, and the others do not: its first wait ends with a reason. */
  private String late(
      GpuWindow window, DeviceHandle handle, KernelLaunch eager, DriverStream stream)
      throws Exception {
    turn.await();
    String said = "waited for";
    if (window.rank() == 0) {
      handle.timeout(SHORT);
      eager.set(0, handle.words());
      eager.set(3, launches + replays);
      long start = System.nanoTime();
      stream.launch(eager);
      Optional<DeviceFailure> failure = handle.await(stream::idle, LONG);
      said =
          "%s after %d ms"
              .formatted(
                  failure.map(DeviceFailure::message).orElse("nothing failed"),
                  (System.nanoTime() - start) / 1_000_000);
      handle.renew();
      handle.timeout(LONG);
      eager.set(0, handle.words());
      start = System.nanoTime();
      stream.launch(eager);
      failure = handle.await(stream::idle, SHORT);
      said +=
          "; %s after %d ms"
              .formatted(
                  failure.map(DeviceFailure::message).orElse("nothing failed"),
                  (System.nanoTime() - start) / 1_000_000);
    }
    turn.await();
    return said;
  }

  private static void require(Optional<DeviceFailure> failure) {
    failure.ifPresent(f -> {
      throw new AssertionError(f.message());
    });
  }

  private static long allocate(Gpu gpu, long bytes, ResourceStack owned) {
    long address = gpu.allocate(bytes);
    owned.add(() -> gpu.free(address));
    return address;
  }

  private KernelLaunch launch(
      KernelFunction function, DeviceHandle handle, long scratch, long tally, long launch) {
    return new KernelLaunch(
        function,
        1,
        threads,
        1,
        false,
        handle.words(),
        new long[] {scratch},
        new long[] {tally},
        new long[] {launch},
        new long[] {1});
  }
}
