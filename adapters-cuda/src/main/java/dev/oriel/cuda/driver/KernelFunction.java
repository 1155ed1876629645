package dev.oriel.cuda.driver;

import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.JCudaDriver;

/** A loaded kernel. */
public final class KernelFunction implements AutoCloseable {
  private final Gpu gpu;
  private final CUmodule module;
  private final CUfunction function = new CUfunction();

  KernelFunction(Gpu gpu, CUmodule module, String entry) {
    this.gpu = gpu;
    this.module = module;
    gpu.run("find kernel=" + entry, () -> JCudaDriver.cuModuleGetFunction(function, module, entry));
  }

  /** The number of co-resident blocks of that many threads on the GPU. */
  public int resident(int threads) {
    int[] perMultiprocessor = new int[1];
    gpu.run(
        "count blocks threads=" + threads,
        () ->
            JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(
                perMultiprocessor, function, threads, 0));
    return perMultiprocessor[0] * gpu.multiprocessors();
  }

  /** The number of co-resident clusters of that launch on the GPU. */
  public int residentClusters(KernelLaunch launch) {
    gpu.current();
    return launch.clusters();
  }

  long address() {
    return HandleAddresses.of(function);
  }

  @Override
  public void close() {
    gpu.unload(module);
  }
}
