package dev.oriel.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Keeps every GPU open throughout a class, since the first opening and the last closing wait for a
 * context. Without a GPU the class is skipped with a reason.
 */
final class OpenGpus implements BeforeAllCallback, AfterAllCallback {
  private final List<Gpu> gpus = new ArrayList<>();

  @Override
  public void beforeAll(ExtensionContext context) {
    try {
      gpus.addAll(CudaDriver.open());
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    gpus.forEach(Gpu::close);
    gpus.clear();
  }
}
