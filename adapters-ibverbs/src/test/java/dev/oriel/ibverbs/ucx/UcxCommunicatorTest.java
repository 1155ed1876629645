package dev.oriel.ibverbs.ucx;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.CommunicatorContract;
import java.util.Set;

/** The contract of communicators over UCX. */
final class UcxCommunicatorTest extends CommunicatorContract implements UcxWorlds {
  UcxCommunicatorTest() {
    super(Set.of());
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
