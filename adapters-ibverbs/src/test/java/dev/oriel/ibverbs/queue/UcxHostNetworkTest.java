package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ports.queue.RemoteNetwork;

/** With memory of the host, which UCX reaches directly. */
final class UcxHostNetworkTest extends UcxNetworkTest {
  @Override
  RemoteNetwork remote(int slots) {
    return new UcxNetwork(slots, VerbsSettings.USUAL.depth());
  }
}
