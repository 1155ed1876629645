package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.nic.ElementOrdering;
import dev.oriel.ibverbs.nic.NicLimits;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.QueueNetwork;

final class SoftNetworkTest extends QueueNetworkContract {
  @Override
  protected QueueNetwork network(int slots) {
    return new SoftNetwork(slots, ElementOrdering.RELIABLE, NicLimits.DEFAULT);
  }
}
