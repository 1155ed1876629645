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
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Inputs and outputs in memory that an app allocated, where one executor has all ranks and where
 * each has its own. Runs where there are GPUs; elsewhere it says what is missing.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
final class LentExecutorTest extends ExecutorContract {
  private static List<Gpu> gpus = List.of();

  private final List<Bootstrap> groups = new ArrayList<>();
  private final boolean joined;

  LentExecutorTest(boolean joined) {
    super(Set.of());
    this.joined = joined;
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
    if (!joined) {
      CudaExecutor alone = CudaExecutor.open(listener, System::nanoTime);
      return List.of(
          new LentExecutor(alone, LentExecutorTest::gpu, world -> IntStream.range(0, world)));
    }
    List<Bootstrap> group = InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40));
    groups.addAll(group);
    return RankThreads.all(
        group,
        ranks -> {
          int rank = ranks.rank();
          return new LentExecutor(
              CudaExecutor.join(ranks, rank, listener, System::nanoTime),
              LentExecutorTest::gpu,
              _ -> IntStream.of(rank));
        });
  }

  /** A rank that is refused has memory all the same. */
  private static Gpu gpu(int rank) {
    return gpus.get(rank % gpus.size());
  }

  @Override
  protected int largestWorld() {
    return gpus.size();
  }
}
