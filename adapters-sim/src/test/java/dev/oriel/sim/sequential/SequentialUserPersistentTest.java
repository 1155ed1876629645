package dev.oriel.sim.sequential;

import dev.oriel.domain.registration.MemoryKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.contract.UserMemoryCommunicator;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;

/** Persistent calls over windows in memory of the application. */
final class SequentialUserPersistentTest extends PersistentContract {
  private final SequentialWire wire = new SequentialWire();

  @Override
  protected CallStream stream(Window window, long id) {
    return new StepStream(id);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    Communicator made =
        new SequentialCommunicators(
                wire,
                System::nanoTime,
                (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
            .join(bootstrap);
    return new UserMemoryCommunicator(
        made,
        new SequentialUserMemoryTest.Simulated(SimulatedMemory.of(made), MemoryKind.ALLOCATED));
  }
}
