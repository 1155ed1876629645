package dev.oriel.it.broken.cuda.driver;

import java.lang.foreign.Arena;
import jcuda.driver.CUdevice;

/** The border to the driver. */
final class Fine {
  private final CUdevice device = new CUdevice();

  long address(Arena arena) {
    return device.hashCode() + arena.allocate(1).address();
  }
}
