package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.CommunicatorContract;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ranks on GPUs, as threads; runs where there are GPUs. */
@ExtendWith(SharedGpus.class)
final class GpuCommunicatorTest extends CommunicatorContract {
  GpuCommunicatorTest() {
    super(Set.of(Capability.LIMITED_MEMORY));
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return SharedGpus.get().join(bootstrap);
  }
}
