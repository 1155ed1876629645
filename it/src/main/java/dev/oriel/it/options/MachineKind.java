package dev.oriel.it.options;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.JoinedProcesses;
import dev.oriel.ibverbs.run.ProcessGroup;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.sim.sequential.SequentialExecutor;

/** The machine that runs programs. */
public enum MachineKind {
  SEQUENTIAL,
  CUDA,
  IBVERBS,
  UCX;

  /** All ranks in this process. */
  public Executor open(FabricListener listener) {
    return switch (this) {
      case SEQUENTIAL -> new SequentialExecutor(listener, System::nanoTime);
      case CUDA -> compiling(CudaExecutor.open(listener, System::nanoTime));
      case IBVERBS -> verbs(ProcessGroup.ALONE, listener);
      case UCX -> VerbsExecutor.ucx(ProcessGroup.ALONE, listener, System::nanoTime);
    };
  }

  /**
   * One rank in this process.
   *
   * @param localRank the number of this process on its host
   */
  Executor join(Bootstrap ranks, int localRank, FabricListener listener) {
    return switch (this) {
      case SEQUENTIAL -> open(listener);
      case CUDA -> CudaExecutor.join(ranks, localRank, listener, System::nanoTime);
      case IBVERBS -> verbs(new JoinedProcesses(ranks), listener);
      case UCX -> VerbsExecutor.ucx(new JoinedProcesses(ranks), listener, System::nanoTime);
    };
  }

  /** That executor with a thread for each kernel that it compiles. */
  static CudaExecutor compiling(CudaExecutor executor) {
    executor.compileWith(
        task -> Thread.ofPlatform().daemon().name("oriel-compilation").start(task));
    return executor;
  }

  private static Executor verbs(ProcessGroup company, FabricListener listener) {
    return VerbsExecutor.open(company, VerbsSettings.USUAL, listener, System::nanoTime);
  }
}
