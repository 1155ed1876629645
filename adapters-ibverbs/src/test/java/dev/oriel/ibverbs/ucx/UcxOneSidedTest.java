package dev.oriel.ibverbs.ucx;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.run.JoinedProcesses;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.OneSidedContract;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;

/** One-sided calls over UCX, with an executor for each rank. */
final class UcxOneSidedTest extends OneSidedContract {
  @BeforeAll
  static void present() {
    UcxPresence.assume();
  }

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40)).stream()
        .map(ranks -> VerbsExecutor.ucx(new JoinedProcesses(ranks), listener, System::nanoTime))
        .collect(Collectors.toUnmodifiableList());
  }
}
