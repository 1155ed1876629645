package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.driver.SharedMemory;
import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.cuda.process.AllocationExchange;
import dev.oriel.cuda.process.GpuSharingCheck;
import dev.oriel.cuda.process.MemoryExchange;
import dev.oriel.cuda.process.OpenAllocations;
import dev.oriel.cuda.process.ProcessMesh;
import dev.oriel.cuda.process.SharedAbortState;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.StepAgreement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;

/**
 * The state that a rank shares with the others of its world. The ranks may be threads of this
 * process or processes of this host: all shared state is of a kind that processes can share.
 */
final class SharedWorldState implements AutoCloseable {
  /** Identifies this process. */
  private static final String PROCESS = UUID.randomUUID().toString();

  private final Bootstrap ranks;
  private final DeviceMemory device;
  private final ResourceStack owned = new ResourceStack();
  private final List<String> gpus;
  private final int sharers;
  private final OpenAllocations opened;
  private final ProcessMesh mesh;
  private final SharedAbortState fate;
  private int exchanges;

  private SharedWorldState(Bootstrap ranks, IntFunction<DeviceMemory> devices, Clock clock) {
    this.ranks = ranks;
    try {
      device = StepAgreement.all(ranks, "join: open", () -> owned.add(devices.apply(ranks.rank())));
      opened = new OpenAllocations(device.sharing());
      List<GpuSharingCheck.ProcessDevice> seats = seats();
      GpuSharingCheck.refuse(seats);
      gpus = seats.stream().map(GpuSharingCheck.ProcessDevice::gpu).toList();
      sharers = Collections.frequency(gpus, gpus.get(ranks.rank()));
      mesh = owned.add(ProcessMesh.join(ranks, FabricListener.NONE, clock));
      fate = SharedAbortState.of(ranks, mesh, clock, owned);
    } catch (RuntimeException e) {
      throw owned.closeSuppressing(e);
    }
  }

  /**
   * Collective: opens this rank's device and connects the ranks.
   *
   * @param devices opens the device of a rank, which is closed with the result
   * @throws dev.oriel.ports.MachineException on every rank, if one of them could not; nothing is
   *     left open
   */
  static SharedWorldState join(Bootstrap ranks, IntFunction<DeviceMemory> devices, Clock clock) {
    return new SharedWorldState(ranks, devices, clock);
  }

  private List<GpuSharingCheck.ProcessDevice> seats() {
    byte[] mine = (PROCESS + " " + device.uuid()).getBytes(StandardCharsets.US_ASCII);
    List<GpuSharingCheck.ProcessDevice> seats = new ArrayList<>();
    for (byte[] theirs : ranks.allGather("join: seats", mine)) {
      String[] seat = new String(theirs, StandardCharsets.US_ASCII).split(" ", 2);
      seats.add(new GpuSharingCheck.ProcessDevice(seat[0], seat[seat.length - 1]));
    }
    return seats;
  }

  Bootstrap ranks() {
    return ranks;
  }

  /** The GPU of this rank. */
  DeviceMemory device() {
    return device;
  }

  /** The GPU of this rank, for calls that other devices lack. */
  Gpu gpu() {
    if (device instanceof Gpu gpu) {
      return gpu;
    }
    throw new IllegalStateException(
        "rank is on no GPU: rank=%d, device=%s; join ranks on GPUs"
            .formatted(ranks.rank(), device.getClass().getSimpleName()));
  }

  /** The identity of each rank's GPU. */
  List<String> gpus() {
    return gpus;
  }

  /** The number of ranks on that GPU. */
  int sharers() {
    return sharers;
  }

  AbortState fate() {
    return fate;
  }

  /** A number for one exchange of memory; {@code owner} frees its messages. */
  int exchange(ResourceStack owner) {
    int number = ++exchanges;
    owner.add(() -> mesh.forget(number));
    return number;
  }

  /** Exchanges memory of each rank's GPU. */
  MemoryExchange<SharedMemory> onDevices() {
    return new MemoryExchange<>(ranks, mesh, device);
  }

  /** Exchanges memory that applications allocated; the number is for that exchange alone. */
  AllocationExchange ofApplications(int number) {
    return new AllocationExchange(ranks, device.sharing(), opened, mesh.files(number));
  }

  /** Exchanges memory of each rank's host. */
  MemoryExchange<SharedPages> onHosts() {
    return new MemoryExchange<>(ranks, mesh, SharedPages.MAKER);
  }

  /** Leaves the world; the others do not count this rank as lost. */
  @Override
  public void close() {
    try (owned) {
      fate.leave();
    }
  }
}
