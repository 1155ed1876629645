package dev.oriel.cuda.stress;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.StressCode;

/**
 * The kernels that run between the launches of a stress run on one GPU, loaded once for all stress
 * runs there.
 */
public final class StressKernels implements AutoCloseable {
  private final ResourceStack owned = new ResourceStack();
  final KernelFunction turn;
  final KernelFunction fill;
  final KernelFunction compare;

  private StressKernels(Gpu gpu) {
    try {
      turn = kernel(gpu, StressCode.TURN);
      fill = kernel(gpu, StressCode.FILL);
      compare = kernel(gpu, StressCode.COMPARE);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  public static StressKernels load(Gpu gpu) {
    return new StressKernels(gpu);
  }

  private KernelFunction kernel(Gpu gpu, String entry) {
    return owned.add(gpu.load(StressCode.text(entry), entry));
  }

  @Override
  public void close() {
    owned.close();
  }
}
