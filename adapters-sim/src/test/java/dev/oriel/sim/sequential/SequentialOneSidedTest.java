package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.OneSidedContract;
import java.util.List;

final class SequentialOneSidedTest extends OneSidedContract {
  @Override
  protected int drawn() {
    return 100;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return List.of(SequentialMachine.executor(listener, System::nanoTime));
  }
}
