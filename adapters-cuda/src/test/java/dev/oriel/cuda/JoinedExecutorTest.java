package dev.oriel.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ExecutorContract;
import dev.oriel.ports.contract.RankThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * Ranks that share nothing but what processes share, each on a thread of its own. Runs where there
 * are GPUs; elsewhere it says what is missing.
 */
final class JoinedExecutorTest extends ExecutorContract {
  private static List<Gpu> gpus = List.of();

  private final List<Bootstrap> groups = new ArrayList<>();

  JoinedExecutorTest() {
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

  @AfterEach
  void closeGroups() {
    groups.forEach(Bootstrap::close);
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    List<Bootstrap> group = InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40));
    groups.addAll(group);
    return RankThreads.all(
        group, ranks -> CudaExecutor.join(ranks, ranks.rank(), listener, System::nanoTime));
  }

  @Override
  protected int largestWorld() {
    return gpus.size();
  }
}
