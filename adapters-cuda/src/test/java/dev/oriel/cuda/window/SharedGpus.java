package dev.oriel.cuda.window;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.MachineException;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Keeps the GPUs of this host open for all suites; on hosts without any, suites report what is
 * missing.
 */
public final class SharedGpus implements BeforeAllCallback {
  private static List<Gpu> open = List.of();

  @Override
  public void beforeAll(ExtensionContext context) {
    hold();
  }

  private static synchronized void hold() {
    try {
      open = open.isEmpty() ? CudaDriver.open() : open;
    } catch (MachineException e) {
      assumeTrue(false, e.getMessage());
    }
  }

  /** The GPU of a rank, for objects that outlive its communicator. */
  public static synchronized Gpu of(int rank) {
    return open.get(rank % open.size());
  }

  /** The factory by which ranks join. */
  public static GpuCommunicators get() {
    return GpuCommunicators.byRank(System::nanoTime);
  }
}
