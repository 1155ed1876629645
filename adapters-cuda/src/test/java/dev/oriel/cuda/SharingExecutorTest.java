package dev.oriel.cuda;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import java.util.List;

/** One executor has all ranks, several of them on each GPU. */
final class SharingExecutorTest extends GpuExecutorContract {
  @Override
  int ranksOfGpu() {
    return 4;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return List.of(CudaExecutor.shared(listener, System::nanoTime));
  }
}
