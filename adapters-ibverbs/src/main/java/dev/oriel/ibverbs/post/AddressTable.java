package dev.oriel.ibverbs.post;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An address book that was exchanged once: one entry for each rank. */
public record AddressTable(List<RankMemory> ranks) implements AddressBook {

  /** What one rank registered. */
  public record RankMemory(Map<String, Memory> buffers, Memory slots, Memory sink) {
    public RankMemory {
      buffers = Map.copyOf(buffers);
    }
  }

  public AddressTable {
    ranks = List.copyOf(ranks);
  }

  @Override
  public Memory buffer(int rank, String name) {
    Map<String, Memory> buffers = of(rank).buffers();
    Memory memory = buffers.get(name);
    if (memory == null) {
      throw new MachineException(
          "unknown buffer: rank=%d, name=%s, registered=%s; register it before posting"
              .formatted(rank, name, String.join(" ", new TreeMap<>(buffers).keySet())));
    }
    return memory;
  }

  @Override
  public Memory slots(int rank) {
    return of(rank).slots();
  }

  @Override
  public Memory sink(int rank) {
    return of(rank).sink();
  }

  private RankMemory of(int rank) {
    if (rank < 0 || rank >= ranks.size()) {
      throw new MachineException(
          "unknown rank: rank=%d, ranks=%d; exchange addresses with every rank"
              .formatted(rank, ranks.size()));
    }
    return ranks.get(rank);
  }
}
