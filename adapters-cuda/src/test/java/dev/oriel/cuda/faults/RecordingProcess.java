package dev.oriel.cuda.faults;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DriverGraph;
import dev.oriel.cuda.driver.DriverStream;
import dev.oriel.cuda.driver.FakeDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.time.Duration;

/** Prints the kernels that ran and the refusals, for launches in the application's streams. */
final class RecordingProcess {
  private static final Duration SOON = Duration.ofSeconds(2);

  private RecordingProcess() {}

  private static void refused(Runnable call) {
    try {
      call.run();
      System.out.println("fine");
    } catch (MachineException | IllegalArgumentException e) {
      System.out.println(e.getMessage());
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime);
        Gpu gpu = CudaDriver.open(0);
        DriverStream mine = gpu.stream()) {
      CudaInstance instance =
          executor.prepare(Scenario.program("push_all_gather"), Topology.grid(1, 2));
      FakeDriver.arm(0);
      DriverGraph graph =
          mine.capture(() -> {
            instance.record(0, mine.handle());
            instance.record(0, mine.handle());
            refused(() -> {
              Object ignored = instance.settle(0, mine.handle(), SOON);
            });
          });
      System.out.println("captured " + FakeDriver.launched());
      graph.replay();
      graph.replay();
      System.out.println("replayed " + FakeDriver.launched());
      System.out.println(instance.settle(0, mine.handle(), SOON));
      instance.record(0, mine.handle());
      System.out.println("eager " + FakeDriver.launched());
      graph.close();
      refused(instance::close);
      System.out.println(instance.settle(0, mine.handle(), SOON));
      DriverGraph another = mine.capture(() -> instance.record(0, mine.handle()));
      refused(instance::close);
      instance.abort("enough");
      refused(() -> instance.record(0, mine.handle()));
      System.out.println(instance.settle(0, mine.handle(), SOON));
      another.close();
      refused(instance::close);
    }
    System.out.println("held [%s]".formatted(FakeDriver.held()));
  }
}
