package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.UserMemoryContract;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/** Memory that applications allocated on GPUs, among threads; runs where there are GPUs. */
@ExtendWith(SharedGpus.class)
final class GpuUserMemoryTest extends UserMemoryContract {
  GpuUserMemoryTest() {
    super(Set.of());
  }

  @Override
  protected Member member(Bootstrap bootstrap, Topology topology, long bytes) {
    return new Member(
        SharedGpus.get().join(bootstrap),
        new TestDevices.OfDevice(SharedGpus.of(bootstrap.rank())));
  }

  @Override
  protected UserMemory nowhere(Communicator self) {
    return new UserMemory(4096, 64);
  }
}
