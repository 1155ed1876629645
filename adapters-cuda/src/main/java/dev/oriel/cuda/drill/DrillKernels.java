package dev.oriel.cuda.drill;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.KernelFunction;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.ptx.DrillCode;

/**
 * The kernels that run between the launches of a drill on one GPU, loaded once for all drills
 * there.
 */
public final class DrillKernels implements AutoCloseable {
  private final ResourceStack owned = new ResourceStack();
  final KernelFunction turn;
  final KernelFunction fill;
  final KernelFunction compare;

  private DrillKernels(Gpu gpu) {
    try {
      turn = kernel(gpu, DrillCode.TURN);
      fill = kernel(gpu, DrillCode.FILL);
      compare = kernel(gpu, DrillCode.COMPARE);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  public static DrillKernels load(Gpu gpu) {
    return new DrillKernels(gpu);
  }

  private KernelFunction kernel(Gpu gpu, String entry) {
    return owned.add(gpu.load(DrillCode.text(entry), entry));
  }

  @Override
  public void close() {
    owned.close();
  }
}
