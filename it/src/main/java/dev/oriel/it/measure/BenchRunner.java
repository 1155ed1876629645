package dev.oriel.it.measure;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.it.run.ReplayCoordination;
import dev.oriel.ports.FabricListener;
import java.util.List;

/** Ranks of a world in one distribution over processes, prepared for repeated measurement. */
sealed interface BenchRunner extends AutoCloseable permits BenchRanks, BenchRunner.InProcessBench {

  /** A line for each of their GPUs. */
  List<String> gpus();

  /** One round of all programs. */
  void measure(CudaBench.Readings readings) throws InterruptedException;

  @Override
  void close();

  /** All ranks in this process. */
  record InProcessBench(CudaExecutor executor, CudaBench bench) implements BenchRunner {
    InProcessBench(CudaBench bench) {
      this(CudaExecutor.open(FabricListener.NONE, System::nanoTime), bench);
    }

    @Override
    public List<String> gpus() {
      return executor.inventory();
    }

    @Override
    public void measure(CudaBench.Readings readings) {
      bench.measure(executor, ReplayCoordination.ALONE, readings);
    }

    @Override
    public void close() {
      executor.close();
    }
  }
}
