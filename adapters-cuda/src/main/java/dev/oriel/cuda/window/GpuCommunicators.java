package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.CudaDriver;
import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import java.util.function.IntFunction;

/**
 * Joins ranks on the GPUs of this host. The ranks may be threads of one process, of several
 * processes that each have GPUs of their own, or both.
 *
 * <p>A rank's GPU is opened when the rank joins, and closed when it leaves. A GPU that is open
 * twice is set up once; keep it open between memberships to avoid the set-up.
 */
public final class GpuCommunicators implements Communicator.Factory {
  private final IntFunction<DeviceMemory> devices;
  private final Clock clock;

  /**
   * A factory over any devices.
   *
   * @param devices opens the device of a rank
   */
  GpuCommunicators(IntFunction<DeviceMemory> devices, Clock clock) {
    this.devices = devices;
    this.clock = clock;
  }

  /**
   * Rank i takes GPU i of those that its process is shown. If these are fewer, ranks are assigned
   * round robin, and several ranks of a process share a GPU.
   */
  public static GpuCommunicators byRank(Clock clock) {
    return new GpuCommunicators(CudaDriver::openInTurn, clock);
  }

  /**
   * For a process that is one of several on this host. Its ranks take the only GPU that it is
   * shown, or the one with its local rank as number.
   *
   * @param localRank the number of this process on its host
   */
  public static GpuCommunicators byProcess(int localRank, Clock clock) {
    return new GpuCommunicators(_ -> CudaDriver.open(localRank), clock);
  }

  @Override
  public Communicator join(Bootstrap ranks) {
    return new GpuCommunicator(SharedWorldState.join(ranks, devices, clock), clock);
  }
}
