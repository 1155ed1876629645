package dev.oriel.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ExecutorContract;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;

/** Runs where there are GPUs; elsewhere it says what is missing. */
final class CudaExecutorTest extends ExecutorContract {
  private static int gpus;

  CudaExecutorTest() {
    super(Set.of());
  }

  @BeforeAll
  static void countGpus() {
    try {
      List<Gpu> all = Driver.open();
      gpus = all.size();
      all.forEach(Gpu::close);
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return List.of(CudaExecutor.open(listener, System::nanoTime));
  }

  @Override
  protected int largestWorld() {
    return gpus;
  }
}
