package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ExecutorContract;
import java.util.List;
import java.util.Set;

final class SequentialExecutorTest extends ExecutorContract {

  SequentialExecutorTest() {
    super(Set.of());
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return List.of(SequentialMachine.executor(listener, System::nanoTime));
  }
}
