package dev.oriel.ibverbs.ucx;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;

/** The contract of persistent calls over UCX, made by the calling thread. */
final class UcxPersistentTest extends PersistentContract implements UcxWorlds {
  @Override
  protected CallStream stream(Window window, long id) {
    return new StepStream(id);
  }

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return UcxWorlds.join(bootstrap, bytes);
  }
}
