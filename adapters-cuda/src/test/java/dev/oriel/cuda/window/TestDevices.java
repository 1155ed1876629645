package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import org.jspecify.annotations.Nullable;

/** The devices on which test ranks join: GPUs, or their stand-ins. */
public final class TestDevices {
  /** In a process that is one of several: the number of processes with a GPU, if any. */
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

  /** The GPU of this process, the one with its number, which stays open. */
  public static synchronized Gpu gpu(int rank) {
    Gpu gpu = held;
    if (gpu == null) {
      gpu = CudaDriver.open(rank);
      held = gpu;
    }
    return gpu;
  }

  /** The rank of this process: on its GPU, or on the host's stand-in. */
  public static Communicator apart(Bootstrap ranks) {
    return gpus()
        ? GpuCommunicators.byProcess(gpu(ranks.rank()).ordinal(), System::nanoTime).join(ranks)
        : onHost(ranks, PLENTY);
  }
}
