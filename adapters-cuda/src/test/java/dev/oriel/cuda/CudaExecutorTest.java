package dev.oriel.cuda;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import java.util.List;

/** One executor has all ranks. */
final class CudaExecutorTest extends GpuExecutorContract {
  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return List.of(CudaExecutor.open(listener, System::nanoTime));
  }
}
