package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.WindowContract;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/** Windows in GPU memory, among threads; runs where there are GPUs, also where ranks share one. */
@ExtendWith(SharedGpus.class)
final class GpuWindowTest extends WindowContract {
  GpuWindowTest() {
    super(Set.of());
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return SharedGpus.get().join(bootstrap);
  }
}
