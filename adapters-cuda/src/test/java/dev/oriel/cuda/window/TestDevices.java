package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.UserMemory;
import dev.oriel.ports.contract.ApplicationMemory;
import dev.oriel.ports.contract.UserMemoryContract;
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
    return on(new HostDevice(bytes), ranks);
  }

  /** A rank on that device, which is closed when the rank leaves. */
  static Communicator on(HostDevice device, Bootstrap ranks) {
    return new GpuCommunicators(_ -> device, System::nanoTime).join(ranks);
  }

  /** A rank on a device in memory of the host, with the memory of its application. */
  public static UserMemoryContract.Member member(Bootstrap ranks, long bytes) {
    HostDevice device = new HostDevice(bytes);
    return new UserMemoryContract.Member(on(device, ranks), new OfDevice(device));
  }

  /** The rank of this process, with the memory of its application. */
  static UserMemoryContract.Member memberApart(Bootstrap ranks) {
    return gpus()
        ? new UserMemoryContract.Member(apart(ranks), new OfDevice(gpu(ranks.rank())))
        : member(ranks, PLENTY);
  }

  /** What an application allocates on a device. */
  record OfDevice(DeviceMemory device) implements ApplicationMemory {
    @Override
    public UserMemory allocate(long bytes) {
      return new UserMemory(device.allocate(bytes), bytes);
    }

    @Override
    public void free(UserMemory memory) {
      device.free(memory.address());
    }

    @Override
    public void write(UserMemory memory, long offset, byte[] bytes) {
      device.write(memory.address() + offset, bytes);
    }

    @Override
    public byte[] read(UserMemory memory, long offset, int length) {
      return device.read(memory.address() + offset, length);
    }
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
