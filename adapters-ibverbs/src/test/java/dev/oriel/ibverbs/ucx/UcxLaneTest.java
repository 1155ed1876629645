package dev.oriel.ibverbs.ucx;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.LaneContract;

/** The contract of lanes over UCX. */
final class UcxLaneTest extends LaneContract implements UcxWorlds {
  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return UcxWorlds.join(bootstrap, bytes);
  }
}
