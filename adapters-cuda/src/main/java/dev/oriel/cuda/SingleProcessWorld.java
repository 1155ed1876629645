package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.ResourceStack;
import dev.oriel.cuda.process.InstancePeers;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.UserMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * All ranks in one process: rank i on GPU i. If ranks may share GPUs, they are assigned round
 * robin.
 */
final class SingleProcessWorld implements WorldProcesses {
  private final List<Gpu> gpus;
  private final Optional<NetworkPath> outside;
  private final boolean sharing;

  SingleProcessWorld(List<Gpu> gpus, Optional<NetworkPath> outside, boolean sharing) {
    this.gpus = gpus;
    this.outside = outside;
    this.sharing = sharing;
  }

  @Override
  public Optional<NetworkPath> outside() {
    return outside;
  }

  @Override
  public List<Gpu> gpus() {
    return gpus;
  }

  @Override
  public SortedMap<Integer, Gpu> place(
      Program program, Topology topology, PeerAccessRequirement need) {
    int world = program.world();
    if (world > gpus.size() && !sharing) {
      throw MachineException.lacking(
          "not enough GPUs: ranks=%d, gpus=%d; use a smaller world, or let ranks share GPUs"
              .formatted(world, gpus.size()));
    }
    SortedMap<Integer, Gpu> local = new TreeMap<>();
    for (int rank = 0; rank < world; rank++) {
      for (int other = 0; other < world; other++) {
        if (other != rank && topology.kind(rank, other) == PeerKind.NVLINK) {
          require(need, gpu(rank), gpu(other));
        }
      }
      local.put(rank, gpu(rank));
    }
    return local;
  }

  private void require(PeerAccessRequirement need, Gpu from, Gpu to) {
    if (!hosted()) {
      need.require(from.device(), to.device());
    } else if (from == to) {
      need.requireNoLines(from.device());
    } else {
      need.requireInHostMemory(from.device());
    }
  }

  /** Whether the memory that peers reach is in pages of the host. */
  private boolean hosted() {
    return outside.map(NetworkPath::hosted).orElse(false);
  }

  private Gpu gpu(int rank) {
    return gpus.get(rank % gpus.size());
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return part.get();
  }

  @Override
  public List<RankMemory> memories(
      int instance,
      Program program,
      Topology topology,
      SortedMap<Integer, Gpu> local,
      Map<Integer, Map<String, UserMemory>> given,
      ResourceStack owned) {
    List<RankMemory> memories = new ArrayList<>();
    local.forEach((rank, gpu) -> {
      Map<String, UserMemory> own = given.getOrDefault(rank, Map.of());
      memories.add(memory(program.rank(rank), gpu, own, owned));
    });
    for (Gpu from : local.values()) {
      local.values().stream().filter(to -> to != from).forEach(from::map);
    }
    return memories;
  }

  private RankMemory memory(
      RankProgram rank, Gpu gpu, Map<String, UserMemory> given, ResourceStack owned) {
    if (hosted()) {
      return RankMemory.hosted(rank, gpu, owned);
    }
    Map<String, Long> callerBuffers = CallerBuffers.here(rank, gpu.sharing(), given);
    return new RankMemory(
        rank, allocate(gpu, RankMemory.bytes(rank, callerBuffers), owned), callerBuffers);
  }

  private static long allocate(Gpu gpu, long bytes, ResourceStack owned) {
    long base = gpu.allocate(bytes);
    owned.add(() -> gpu.free(base));
    return base;
  }

  @Override
  public InstancePeers peers(int instance) {
    return InstancePeers.NONE;
  }

  @Override
  public void close() {
    ResourceStack.closeAll(gpus);
  }
}
