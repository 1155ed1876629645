package dev.oriel.it;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.run.Company;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.sim.sequential.SequentialExecutor;

/** Where to run. */
enum Machine {
  SEQUENTIAL,
  CUDA,
  IBVERBS;

  Executor open(FabricListener listener) {
    return switch (this) {
      case SEQUENTIAL -> new SequentialExecutor(listener, System::nanoTime);
      case CUDA -> CudaExecutor.open(listener, System::nanoTime);
      case IBVERBS ->
          VerbsExecutor.open(Company.ALONE, VerbsSettings.USUAL, listener, System::nanoTime);
    };
  }
}
