package dev.oriel.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.Outside;
import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.queue.SoftNetwork;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ExecutorContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * GPUs that post to interfaces in software, on two hosts where the world is even: runs where there
 * is a GPU; elsewhere it says what is missing.
 */
final class PostingExecutorTest extends ExecutorContract {
  PostingExecutorTest() {
    super(Set.of());
  }

  /** Held open throughout: whoever opens the first and closes the last waits for a context. */
  private static final List<Gpu> GPUS = new ArrayList<>();

  @BeforeAll
  static void requireGpus() {
    try {
      GPUS.addAll(Driver.open());
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  @AfterAll
  static void release() {
    GPUS.forEach(Gpu::close);
    GPUS.clear();
  }

  @Override
  protected Topology topology(int world) {
    return world % 2 == 0 ? Topology.grid(2, world / 2) : Topology.grid(world, 1);
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    Outside outside = new Outside(SoftNetwork.usual(), false);
    return List.of(CudaExecutor.open(Optional.of(outside), listener, System::nanoTime));
  }
}
