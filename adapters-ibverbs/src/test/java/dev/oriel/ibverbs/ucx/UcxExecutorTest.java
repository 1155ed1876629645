package dev.oriel.ibverbs.ucx;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.run.JoinedProcesses;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ExecutorContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeAll;

/** The contract of executors over UCX, with an executor for each rank, on a thread of its own. */
final class UcxExecutorTest extends ExecutorContract {
  private final List<VerbsExecutor> executors = new ArrayList<>();

  UcxExecutorTest() {
    super(EnumSet.noneOf(Capability.class));
  }

  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected int largestWorld() {
    return 4;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    for (var ranks : InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40))) {
      executors.add(VerbsExecutor.ucx(new JoinedProcesses(ranks), listener, System::nanoTime));
    }
    return List.copyOf(executors);
  }

  @Override
  protected OptionalLong held() {
    return OptionalLong.of(executors.stream().mapToLong(VerbsExecutor::registered).sum());
  }
}
