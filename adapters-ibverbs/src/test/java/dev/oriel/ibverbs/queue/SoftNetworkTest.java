package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.nic.Limits;
import dev.oriel.ibverbs.nic.Ordering;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.QueueNetwork;

final class SoftNetworkTest extends QueueNetworkContract {
  @Override
  protected QueueNetwork network(int slots) {
    return new SoftNetwork(slots, Ordering.RELIABLE, Limits.DEFAULT);
  }
}
