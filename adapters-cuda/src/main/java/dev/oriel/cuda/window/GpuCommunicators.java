package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.UserMemory;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import java.util.function.IntFunction;

/**
 * Joins ranks on the GPUs of this host. They may be threads of one process, of several processes
 * that each have GPUs of their own, or both.
 *
 * <p>A rank's GPU is opened when it joins and closed when it leaves. One that is opened twice is
 * set up once, so who joins again and again keeps it open meanwhile.
 */
public final class GpuCommunicators implements Communicator.Factory {
  private final IntFunction<DeviceMemory> devices;
  private final Clock clock;

  /**
   * @param devices opens that of a rank
   */
  GpuCommunicators(IntFunction<DeviceMemory> devices, Clock clock) {
    this.devices = devices;
    this.clock = clock;
  }

  /**
   * Rank i takes GPU i of those that its process is shown; where these are fewer, ranks take turns,
   * so that several of a process share a GPU.
   */
  public static GpuCommunicators byRank(Clock clock) {
    return new GpuCommunicators(Driver::openInTurn, clock);
  }

  /**
   * For a process that is one of several on this host, whatever ranks they have: takes the only GPU
   * that it is shown, or the one of its number.
   *
   * @param localRank the number of this process on its host
   */
  public static GpuCommunicators byProcess(int localRank, Clock clock) {
    return new GpuCommunicators(_ -> Driver.open(localRank), clock);
  }

  @Override
  public Communicator join(Bootstrap ranks) {
    return new GpuCommunicator(World.join(ranks, devices, clock), clock);
  }

  /**
   * Memory that the app allocated on a rank's GPU, as a buffer of that rank: its windows put from
   * and get into it where it is. It stays the app's, which frees it once the buffer is closed.
   *
   * <p>Scope: that rank alone; not collective. Peers do not reach it, so it may be of any kind that
   * the GPU accesses: of {@code cuMemAlloc}, of a pool, or mapped.
   *
   * @throws IllegalArgumentException if {@code member} is of another machine
   * @throws dev.oriel.ports.MachineException if it is not one piece of memory of the rank's GPU
   */
  public static LocalBuffer buffer(Communicator member, UserMemory memory) {
    if (member instanceof GpuCommunicator gpu) {
      return gpu.buffer(memory);
    }
    throw new IllegalArgumentException(
        "communicator of another machine: class=%s; join ranks on GPUs"
            .formatted(member.getClass().getSimpleName()));
  }
}
