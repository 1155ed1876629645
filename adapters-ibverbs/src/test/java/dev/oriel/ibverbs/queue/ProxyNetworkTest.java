package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.nic.ElementOrdering;
import dev.oriel.ibverbs.nic.NicLimits;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.QueueNetwork;

/** With an interface in software whose queues are shorter: the proxy has to wait for room. */
final class ProxyNetworkTest extends QueueNetworkContract {
  @Override
  protected QueueNetwork network(int slots) {
    return new ProxyNetwork(
        new QueueCarrier(new SoftNetwork(2, ElementOrdering.RELIABLE, NicLimits.DEFAULT)), slots);
  }
}
