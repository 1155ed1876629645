package dev.oriel.cuda;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.RankThreads;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Inputs and outputs in memory that an application allocated, with one executor for all ranks and
 * with one for each.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
final class CallerMemoryExecutorTest extends GpuExecutorContract {
  private final boolean joined;

  CallerMemoryExecutorTest(boolean joined) {
    this.joined = joined;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    if (!joined) {
      CudaExecutor alone = CudaExecutor.open(listener, System::nanoTime);
      return List.of(
          new CallerMemoryExecutor(
              alone, GpuExecutorContract::gpu, world -> IntStream.range(0, world)));
    }
    return RankThreads.all(
        group(topology),
        ranks -> {
          int rank = ranks.rank();
          return new CallerMemoryExecutor(
              CudaExecutor.join(ranks, rank, listener, System::nanoTime),
              GpuExecutorContract::gpu,
              _ -> IntStream.of(rank));
        });
  }
}
