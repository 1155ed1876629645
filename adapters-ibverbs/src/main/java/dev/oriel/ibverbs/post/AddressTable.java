package dev.oriel.ibverbs.post;

import dev.oriel.ports.MachineException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The address and the keys of every rank's memory: one entry for each rank. */
public record AddressTable(List<RankMemory> ranks) {

  /**
   * The memory that one rank registered.
   *
   * @param slots laid out as in {@link NicSlotLayout}; {@link PostOperation.ReadBack} is effective
   *     only if they are in the memory of the same device as the buffers
   * @param sink at least 8 bytes, 8-byte aligned, for returned values that are not used
   */
  public record RankMemory(
      Map<String, RegisteredMemory> buffers, RegisteredMemory slots, RegisteredMemory sink) {
    public RankMemory {
      buffers = Map.copyOf(buffers);
    }
  }

  public AddressTable {
    ranks = List.copyOf(ranks);
  }

  /**
   * That rank's buffer of that name.
   *
   * @throws MachineException if it is not registered
   */
  public RegisteredMemory buffer(int rank, String name) {
    Map<String, RegisteredMemory> buffers = of(rank).buffers();
    RegisteredMemory memory = buffers.get(name);
    if (memory == null) {
      throw new MachineException(
          "unknown buffer: rank=%d, name=%s, registered=%s; register it before posting"
              .formatted(rank, name, String.join(" ", new TreeMap<>(buffers).keySet())));
    }
    return memory;
  }

  /** That rank's signal slots. */
  public RegisteredMemory slots(int rank) {
    return of(rank).slots();
  }

  /** That rank's sink. */
  public RegisteredMemory sink(int rank) {
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
