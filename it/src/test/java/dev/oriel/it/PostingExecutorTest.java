package dev.oriel.it;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.NetworkPath;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.queue.SoftNetwork;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ExecutorContract;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * GPUs that post to software interfaces, on two hosts if the world is even. Runs if there is a GPU;
 * otherwise it is skipped with a reason.
 */
@ExtendWith(OpenGpus.class)
final class PostingExecutorTest extends ExecutorContract {
  PostingExecutorTest() {
    super(Set.of());
  }

  @Override
  protected Topology topology(int world) {
    return world % 2 == 0 ? Topology.grid(2, world / 2) : Topology.grid(world, 1);
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    NetworkPath outside = new NetworkPath(SoftNetwork.usual(), false);
    return List.of(CudaExecutor.open(Optional.of(outside), listener, System::nanoTime));
  }
}
