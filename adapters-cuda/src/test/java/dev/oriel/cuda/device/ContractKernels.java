package dev.oriel.cuda.device;

import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;

/** What {@code window_kernels.cuh} needs of a window and of its handle. */
final class ContractKernels {
  static final DeviceSlots SLOTS = new DeviceSlots(5, 3, 1);
  private static final long PLACE = 1024;
  private static final long TILE = 176;
  private static final long DEPTH = 2;

  private ContractKernels() {}

  /** A place for each source, then slots for each source's tiles. */
  static WindowSpec window(int world) {
    return WindowSpec.named("w").withData(DataSizes.uniform(world * (PLACE + DEPTH * TILE)));
  }

  /** Memory of a rank's own. */
  static long scratch(int world) {
    return TILE + world * PLACE;
  }
}
