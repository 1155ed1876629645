package dev.oriel.cuda.window;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.LaneContract;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lanes that are threads, over GPU memory; runs where there are GPUs. */
@ExtendWith(SharedGpus.class)
final class GpuLaneTest extends LaneContract {
  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return SharedGpus.get().join(bootstrap);
  }
}
