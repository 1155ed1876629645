package dev.oriel.cuda.window;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.ports.MachineException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The GPUs of this host, opened once for all suites; elsewhere these say what is missing. */
public final class SharedGpus implements BeforeAllCallback {
  private static GpuCommunicators open;

  @Override
  public void beforeAll(ExtensionContext context) {
    get();
  }

  /** Where ranks join. */
  public static synchronized GpuCommunicators get() {
    if (open == null) {
      try {
        open = GpuCommunicators.open(System::nanoTime);
      } catch (MachineException e) {
        assumeTrue(false, e.getMessage());
      }
    }
    return open;
  }
}
