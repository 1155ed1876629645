package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.sim.ranks.RankStream;

/** Persistent calls among threads that share this process's memory. */
class SequentialPersistentTest extends PersistentContract {
  private final Wire wire = new Wire();

  @Override
  protected CallStream stream(Window window, long id) {
    return new RankStream(id);
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
