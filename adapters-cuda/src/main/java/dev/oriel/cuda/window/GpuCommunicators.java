package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.UserMemory;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Fate;
import dev.oriel.ports.setup.Together;
import dev.oriel.ports.setup.Undo;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Joins ranks that are threads of this process, rank i on GPU i; where there are more ranks they
 * take turns, so that several share a GPU. All of a world must come through the same factory.
 */
public final class GpuCommunicators implements Communicator.Factory, AutoCloseable {
  private final List<Gpu> gpus;
  private final Clock clock;
  private final World world = new World();

  private GpuCommunicators(List<Gpu> gpus, Clock clock) {
    this.gpus = gpus;
    this.clock = clock;
  }

  /**
   * Opens every GPU that the driver shows, and maps each one's memory on each other.
   *
   * @throws MachineException saying what this host lacks
   */
  public static GpuCommunicators open(Clock clock) {
    List<Gpu> gpus = Driver.open();
    try {
      for (Gpu from : gpus) {
        gpus.stream().filter(to -> to != from).forEach(to -> map(from, to));
      }
    } catch (RuntimeException e) {
      gpus.forEach(Gpu::close);
      throw e;
    }
    return new GpuCommunicators(gpus, clock);
  }

  private static void map(Gpu from, Gpu to) {
    if (!from.reaches(to)) {
      throw MachineException.lacking(
          "no peer access: from gpu=%d, to gpu=%d; see nvidia-smi topo -m"
              .formatted(from.ordinal(), to.ordinal()));
    }
    from.map(to);
  }

  @Override
  public Communicator join(Bootstrap ranks) {
    Undo undo = new Undo();
    try {
      long fate =
          Together.all(
              ranks,
              "join: show",
              () -> {
                long number = world.show(world.fate());
                undo.add(() -> world.hide(number));
                return number;
              });
      // A world's fate is the one that rank 0 shows.
      byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(fate).array();
      byte[] first = ranks.allGather("join: exchange", mine).getFirst();
      Fate common =
          Together.all(
              ranks, "join: look", () -> world.seen(ByteBuffer.wrap(first).getLong(), Fate.class));
      return new GpuCommunicator(
          ranks,
          gpus.get(ranks.rank() % gpus.size()),
          Topology.grid(1, ranks.world()),
          world,
          common,
          clock,
          undo::run);
    } catch (RuntimeException e) {
      undo.because(e);
      throw e;
    }
  }

  /**
   * Memory that the app allocated on a rank's GPU, as a buffer of that rank: its windows put from
   * and get into it where it is. It stays the app's, which frees it once the buffer is closed.
   *
   * <p>Scope: that rank alone; not collective. Peers do not reach it, so it may be of any kind that
   * the GPU accesses: of {@code cuMemAlloc}, of a pool, or mapped.
   *
   * @throws IllegalArgumentException if {@code member} is of another machine
   * @throws MachineException if it is not one piece of memory of the rank's GPU
   */
  public static LocalBuffer buffer(Communicator member, UserMemory memory) {
    if (member instanceof GpuCommunicator gpu) {
      return gpu.buffer(memory);
    }
    throw new IllegalArgumentException(
        "communicator of another machine: class=%s; join ranks on GPUs"
            .formatted(member.getClass().getSimpleName()));
  }

  /** How often memory was allocated or mapped, or a kernel loaded, on any of the GPUs. */
  public long preparations() {
    return gpus.stream().mapToLong(Gpu::preparations).sum();
  }

  /** Closes the GPUs; nobody may be a member any more. */
  @Override
  public void close() {
    gpus.forEach(Gpu::close);
  }
}
