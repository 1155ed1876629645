package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.CommunicatorContract;
import java.util.Set;

final class SequentialCommunicatorTest extends CommunicatorContract {
  private final SequentialWire wire = new SequentialWire();

  SequentialCommunicatorTest() {
    super(Set.of());
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return new SequentialCommunicators(
            wire,
            System::nanoTime,
            (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
        .join(bootstrap);
  }
}
