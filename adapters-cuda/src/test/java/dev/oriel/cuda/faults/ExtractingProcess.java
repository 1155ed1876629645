package dev.oriel.cuda.faults;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.MachineException;
import java.util.List;

/**
 * Opens all GPUs as the first action of its process; prints their number, or the reason for
 * failure.
 */
final class ExtractingProcess {
  private ExtractingProcess() {}

  public static void main(String[] arguments) {
    try {
      List<Gpu> gpus = CudaDriver.open();
      System.out.println("gpus " + gpus.size());
      gpus.forEach(Gpu::close);
    } catch (MachineException e) {
      System.out.println(e.environment() + " " + e.getMessage());
    }
  }
}
