package dev.oriel.cuda;

import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.List;
import java.util.SortedMap;
import java.util.function.BiPredicate;

/**
 * The path to peers that are not on NVLink, all in this process.
 *
 * @param network carries their requests
 * @param hosted whether the memory that peers reach is in the host's memory; otherwise it is on
 *     their GPU, and the network reaches it by copies
 */
public record NetworkPath(QueueNetwork network, boolean hosted) implements OutsideNetwork {
  @Override
  public QueueFormat format() {
    return network.format();
  }

  /** Connects ranks of which this process has all. */
  @Override
  public QueueNetwork.Connection connect(
      String step,
      SortedMap<Integer, ReachedMemory> local,
      BiPredicate<Integer, Integer> pairs,
      InitiatorMemory posters) {
    return network.connect(List.copyOf(local.values()), pairs, posters);
  }
}
