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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs where there are GPUs; elsewhere it says what is missing. */
final class CudaExecutorTest extends ExecutorContract {
  /** Held open from test to test, so that each is set up once. */
  private static List<Gpu> gpus = List.of();

  CudaExecutorTest() {
    super(Set.of());
  }

  @BeforeAll
  static void holdGpus() {
    try {
      gpus = Driver.open();
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  @AfterAll
  static void releaseGpus() {
    gpus.forEach(Gpu::close);
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return List.of(CudaExecutor.open(listener, System::nanoTime));
  }

  @Override
  protected int largestWorld() {
    return gpus.size();
  }
}
