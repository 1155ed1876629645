package dev.oriel.cuda.drill;

import dev.oriel.cuda.driver.Function;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.ptx.DrillCode;

/**
 * The kernels that run between the launches of a drill on one GPU, loaded once for all drills
 * there.
 */
public final class DrillKernels implements AutoCloseable {
  private final Resources owned = new Resources();
  final Function turn;
  final Function fill;
  final Function compare;

  private DrillKernels(Gpu gpu) {
    try {
      turn = kernel(gpu, DrillCode.TURN);
      fill = kernel(gpu, DrillCode.FILL);
      compare = kernel(gpu, DrillCode.COMPARE);
    } catch (RuntimeException e) {
      throw owned.closeBehind(e);
    }
  }

  public static DrillKernels load(Gpu gpu) {
    return new DrillKernels(gpu);
  }

  private Function kernel(Gpu gpu, String entry) {
    return owned.add(gpu.load(DrillCode.text(entry), entry));
  }

  @Override
  public void close() {
    owned.close();
  }
}
