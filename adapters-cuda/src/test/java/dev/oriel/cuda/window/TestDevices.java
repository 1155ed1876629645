package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import org.jspecify.annotations.Nullable;

/** Where ranks of tests join: on GPUs, or on what stands in for them. */
public final class TestDevices {
  /** Of a process that is one of several: how many have a GPU, if there are any. */
  public static final String GPUS = "oriel.test.gpus";

  private static final long PLENTY = 1 << 28;

  private static @Nullable Gpu held;

  private TestDevices() {}

  /** A rank with a device of its own in memory of the host. */
  public static Communicator onHost(Bootstrap ranks, long bytes) {
    return new GpuCommunicators(_ -> new HostDevice(bytes), System::nanoTime).join(ranks);
  }

  /** Whether processes have GPUs. */
  public static boolean gpus() {
    return Integer.getInteger(GPUS, 0) > 0;
  }

  /** The rank of this process: on its GPU, which stays open, or as on the host. */
  public static synchronized Communicator apart(Bootstrap ranks) {
    if (!gpus()) {
      return onHost(ranks, PLENTY);
    }
    if (held == null) {
      held = Driver.open(ranks.rank());
    }
    return GpuCommunicators.byProcess(ranks.rank(), System::nanoTime).join(ranks);
  }
}
