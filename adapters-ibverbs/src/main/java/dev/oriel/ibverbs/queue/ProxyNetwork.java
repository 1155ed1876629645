package dev.oriel.ibverbs.queue;

import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * Posters hand their requests to the thread that calls for progress, which executes them. It is for
 * posters that cannot reach an interface's registers.
 */
public final class ProxyNetwork implements QueueNetwork {
  private final RequestCarrier carrier;
  private final int slots;

  /**
   * A network without connections.
   *
   * @param slots of each queue, a power of two
   */
  public ProxyNetwork(RequestCarrier carrier, int slots) {
    this.carrier = carrier;
    this.slots = slots;
  }

  @Override
  public QueueFormat format() {
    return ProxyQueues.format(carrier.messageBytes());
  }

  @Override
  public Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters) {
    SortedMap<Integer, ReachedMemory> local = new TreeMap<>();
    ranks.forEach(memory -> local.put(local.size(), memory));
    return ProxyConnection.over(
        carrier.connect(ranks, pairs, posters), slots, local, ranks.size(), pairs, posters);
  }
}
