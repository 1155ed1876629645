package dev.oriel.cuda;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.contract.ExecutorContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** The contract of executors on GPUs; on hosts without any, it reports what is missing. */
abstract class GpuExecutorContract extends ExecutorContract {
  /** Kept open from test to test: each GPU is set up once. */
  private static List<Gpu> gpus = List.of();

  private final List<Bootstrap> groups = new ArrayList<>();

  GpuExecutorContract() {
    super(Set.of());
  }

  @BeforeAll
  static void holdGpus() {
    try {
      gpus = CudaDriver.open();
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

  /** Ranks that share only what processes can share, each to be run on a thread of its own. */
  final List<Bootstrap> group(Topology topology) {
    List<Bootstrap> group = InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40));
    groups.addAll(group);
    return group;
  }

  /** A GPU for the rank, also for a rank that the executor refuses. */
  static Gpu gpu(int rank) {
    return gpus.get(rank % gpus.size());
  }

  /** The most ranks of a world on one GPU. */
  int ranksOfGpu() {
    return 1;
  }

  @Override
  protected final int largestWorld() {
    return Math.min(5, gpus.size() * ranksOfGpu());
  }
}
