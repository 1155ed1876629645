package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.contract.FabricContract;
import java.util.List;
import java.util.Set;

final class SequentialFabricTest extends FabricContract {

  SequentialFabricTest() {
    super(Set.of());
  }

  @Override
  protected List<Fabric> open(int world, long bytesPerRank) {
    return SequentialMachine.fabrics(Topology.grid(1, world), bytesPerRank);
  }
}
