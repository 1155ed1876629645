package dev.oriel.cuda;

import dev.oriel.cuda.driver.Driver;
import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.ptx.Kernel;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Runs programs on the GPUs of this process: rank i on GPU i. With a network, ranks take turns on
 * the GPUs, so that several may share one.
 */
public final class CudaExecutor implements Executor {
  private final List<Gpu> gpus;
  private final Optional<Outside> outside;
  private final FabricListener listener;
  private final Clock clock;
  private int open;

  private CudaExecutor(
      List<Gpu> gpus, Optional<Outside> outside, FabricListener listener, Clock clock) {
    this.gpus = gpus;
    this.outside = outside;
    this.listener = listener;
    this.clock = clock;
  }

  /**
   * Opens the driver and every GPU it shows.
   *
   * @throws MachineException saying what this host lacks
   */
  public static CudaExecutor open(FabricListener listener, Clock clock) {
    return open(Optional.empty(), listener, clock);
  }

  /** The same with a network for peers that are not on NVLink: lanes post to it by themselves. */
  public static CudaExecutor open(Optional<Outside> outside, FabricListener listener, Clock clock) {
    return new CudaExecutor(Driver.open(), outside, listener, clock);
  }

  @Override
  public String name() {
    return "cuda";
  }

  /** One line per GPU: number, name and capability. */
  public List<String> inventory() {
    return gpus.stream()
        .map(g -> "gpu=%d, name=%s, capability=%d".formatted(g.ordinal(), g.name(), g.capability()))
        .toList();
  }

  @Override
  public CudaInstance prepare(Program program, Topology topology) {
    int world = program.world();
    if (world != topology.world()) {
      throw new MachineException(
          "program and topology disagree: program=%d ranks, topology=%d ranks; bind the program to the topology's world"
              .formatted(world, topology.world()));
    }
    if (world > Kernel.MAX_WORLD) {
      throw new MachineException(
          "world too large for one host: ranks=%d, max=%d; use a smaller world"
              .formatted(world, Kernel.MAX_WORLD));
    }
    if (world > gpus.size() && outside.isEmpty()) {
      throw MachineException.lacking(
          "not enough GPUs: ranks=%d, gpus=%d; use a smaller world".formatted(world, gpus.size()));
    }
    List<Gpu> used =
        IntStream.range(0, world).mapToObj(rank -> gpus.get(rank % gpus.size())).toList();
    for (int from = 0; from < world; from++) {
      for (int to = 0; to < world; to++) {
        if (from != to) {
          requireReach(topology, used, from, to);
        }
      }
    }
    CudaInstance instance =
        new CudaInstance(program, topology, used, outside, listener, clock, () -> open--);
    open++;
    return instance;
  }

  private void requireReach(Topology topology, List<Gpu> used, int from, int to) {
    if (topology.kind(from, to) == PeerKind.RDMA && outside.isPresent()) {
      return;
    }
    if (topology.kind(from, to) != PeerKind.NVLINK) {
      throw new MachineException(
          "peer is not on NVLink: from=%d, to=%d, kind=%s; give a network, or use NVLINK peers only"
              .formatted(from, to, topology.kind(from, to)));
    }
    Gpu here = used.get(from);
    Gpu there = used.get(to);
    if (here != there && !here.reaches(there)) {
      throw MachineException.lacking(
          "no peer access: from gpu=%d, to gpu=%d; see nvidia-smi topo -m"
              .formatted(here.ordinal(), there.ordinal()));
    }
  }

  @Override
  public void close() {
    if (open > 0) {
      throw new MachineException(
          "instances are still open: instances=" + open + "; close them before their executor");
    }
    gpus.forEach(Gpu::close);
  }
}
