package dev.oriel.cuda;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.cuda.driver.Resources;
import dev.oriel.cuda.process.Peers;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All ranks in one process: rank i on GPU i. */
final class Alone implements Company {
  private final List<Gpu> gpus;

  Alone(List<Gpu> gpus) {
    this.gpus = gpus;
  }

  @Override
  public List<Gpu> gpus() {
    return gpus;
  }

  @Override
  public SortedMap<Integer, Gpu> place(Program program, Topology topology) {
    int world = program.world();
    if (world > gpus.size()) {
      throw MachineException.lacking(
          "not enough GPUs: ranks=%d, gpus=%d; use a smaller world".formatted(world, gpus.size()));
    }
    SortedMap<Integer, Gpu> local = new TreeMap<>();
    for (int rank = 0; rank < world; rank++) {
      for (int other = 0; other < world; other++) {
        if (other != rank) {
          Reach.require(gpus.get(rank), gpus.get(other));
        }
      }
      local.put(rank, gpus.get(rank));
    }
    return local;
  }

  @Override
  public <T> T together(String step, Supplier<T> part) {
    return part.get();
  }

  @Override
  public List<RankMemory> memories(
      int instance, Program program, SortedMap<Integer, Gpu> local, Resources owned) {
    List<RankMemory> memories = new ArrayList<>();
    for (Map.Entry<Integer, Gpu> place : local.entrySet()) {
      Gpu gpu = place.getValue();
      long base = gpu.allocate(RankMemory.bytes(program.rank(place.getKey())));
      owned.add(() -> gpu.free(base));
      memories.add(new RankMemory(program.rank(place.getKey()), base));
    }
    for (Gpu from : local.values()) {
      local.values().stream().filter(to -> to != from).forEach(from::map);
    }
    return memories;
  }

  @Override
  public Peers peers(int instance) {
    return Peers.NONE;
  }

  @Override
  public void close() {
    gpus.forEach(Gpu::close);
  }
}
