package dev.oriel.cuda;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.RankThreads;
import java.util.List;

/** Each rank has its own executor. */
final class JoinedExecutorTest extends GpuExecutorContract {
  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return RankThreads.all(
        group(topology),
        ranks -> CudaExecutor.join(ranks, ranks.rank(), listener, System::nanoTime));
  }
}
