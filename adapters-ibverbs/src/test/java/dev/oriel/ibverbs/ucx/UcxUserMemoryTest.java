package dev.oriel.ibverbs.ucx;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.window.HostApplication;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.UserMemoryContract;
import java.util.Set;

/** The contract of the application's memory over UCX. */
final class UcxUserMemoryTest extends UserMemoryContract implements UcxWorlds {
  UcxUserMemoryTest() {
    super(Set.of());
  }

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected Member member(Bootstrap bootstrap, Topology topology, long bytes) {
    return new Member(UcxWorlds.join(bootstrap, bytes), new HostApplication());
  }

  @Override
  protected UserMemory nowhere(Communicator self) {
    return new UserMemory(4096, 64);
  }
}
