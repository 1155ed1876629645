package dev.oriel.cuda.window;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.MachineException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The GPUs of this host, opened once for all suites; elsewhere these say what is missing. */
public final class SharedGpus implements BeforeAllCallback {
  private static @Nullable GpuCommunicators open;

  @Override
  public void beforeAll(ExtensionContext context) {
    get();
  }

  /** Where ranks join. */
  public static synchronized GpuCommunicators get() {
    GpuCommunicators gpus = open;
    if (gpus == null) {
      try {
        gpus = GpuCommunicators.open(System::nanoTime);
      } catch (MachineException e) {
        assumeTrue(false, e.getMessage());
        throw e;
      }
      open = gpus;
    }
    return gpus;
  }
}
