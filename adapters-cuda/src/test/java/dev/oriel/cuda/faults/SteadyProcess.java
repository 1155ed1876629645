package dev.oriel.cuda.faults;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.FakeDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.persistent.GpuCalls;
import dev.oriel.cuda.persistent.GpuStream;
import dev.oriel.cuda.window.GpuCommunicators;
import dev.oriel.cuda.window.GpuWindow;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowRegion;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.persistent.CallSpec;
import dev.oriel.ports.persistent.PersistentCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Prints the objects that the driver made during launches from the second on, the count of
 * preparations for them, and the attributes of the last launch.
 */
final class SteadyProcess {
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final int WORLD = 2;
  private static final int LAUNCHES = 50;
  private static final long BYTES = 4096;

  private final CudaInstance instance;

  private SteadyProcess(CudaInstance instance) {
    this.instance = instance;
  }

  /** Calls over a window by the only rank of a world, which waits for no other. */
  private static void calls() throws Exception {
    CallSpec spec = new CallSpec(4 * BYTES, 0, 1, 0);
    WindowSpec shape =
        WindowSpec.named("w")
            .withData(DataSizes.uniform(spec.control() + spec.controlBytes(1)))
            .withSignals(spec.signalCount())
            .withBarriers(1);
    try (Bootstrap alone = InProcessBootstrap.group(1, SOON).getFirst();
        Communicator member = GpuCommunicators.byRank(System::nanoTime).join(alone);
        GpuWindow window = GpuWindow.of(member.window(shape));
        PersistentCalls calls =
            PersistentCalls.over(
                window, spec, GpuCalls.over(window, spec, System::nanoTime), SOON);
        GpuStream stream = GpuStream.on(window.gpu(), 7)) {
      counted(
          "persistent calls",
          window.gpu()::preparations,
          () ->
              calls.allGather(
                  stream, new WindowRegion("w", 0, 2 * BYTES), window, 2 * BYTES, 64, SOON));
      System.out.println("persistent calls attributes " + FakeDriver.attributes());
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      for (String name : List.of("push_all_gather", "ll_all_gather", "copy_all_gather")) {
        try (CudaInstance instance =
            executor.prepare(Scenario.program(name), Topology.grid(1, WORLD))) {
          new SteadyProcess(instance).all(name);
        }
      }
    }
    calls();
    System.out.println("held [%s]".formatted(FakeDriver.held()));
  }

  private void all(String name) throws Exception {
    try (ResourceStack app = new ResourceStack()) {
      List<DriverStream> streams = new ArrayList<>();
      List<Gpu> gpus = CudaDriver.open();
      gpus.forEach(app::add);
      gpus.forEach(gpu -> streams.add(app.add(gpu.stream())));
      List<DriverGraph> graphs = new ArrayList<>();
      for (int rank = 0; rank < WORLD; rank++) {
        int own = rank;
        DriverStream stream = streams.get(rank);
        graphs.add(app.add(stream.capture(() -> instance.record(own, stream.handle()))));
      }
      CudaInstance.Recording recording = instance.record(3);
      counted(name + " launched", () -> instance.launch(SOON));
      System.out.println("%s attributes %s".formatted(name, FakeDriver.attributes()));
      counted(name + " replayed", () -> recording.replay(SOON));
      counted(name + " put into streams", () -> settled(streams, instance::record));
      counted(
          name + " in the caller's graphs",
          () -> settled(streams, (rank, _) -> graphs.get(rank).replay()));
      counted(name + " recorded anew", () -> instance.record(1));
    }
  }

  /** One rank's work with its stream. */
  @FunctionalInterface
  private interface Part {
    void run(int rank, long stream);
  }

  private List<Object> settled(List<DriverStream> streams, Part part) {
    for (int rank = 0; rank < WORLD; rank++) {
      part.run(rank, streams.get(rank).handle());
    }
    List<Object> outcomes = new ArrayList<>();
    for (int rank = 0; rank < WORLD; rank++) {
      outcomes.add(instance.settle(rank, streams.get(rank).handle(), SOON));
    }
    return outcomes;
  }

  /** A way to launch; returns the outcome. */
  @FunctionalInterface
  private interface Way {
    Object launch() throws Exception;
  }

  private void counted(String what, Way way) throws Exception {
    counted(what, instance::preparations, way);
  }

  private static void counted(String what, LongSupplier preparations, Way way) throws Exception {
    Object ignored = way.launch();
    FakeDriver.arm(0);
    long before = preparations.getAsLong();
    for (int launch = 2; launch <= LAUNCHES; launch++) {
      ignored = way.launch();
    }
    System.out.println(
        "%s: made %d, counted %d"
            .formatted(what, FakeDriver.made(), preparations.getAsLong() - before));
  }
}
