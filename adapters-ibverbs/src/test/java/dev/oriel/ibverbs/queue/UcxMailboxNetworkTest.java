package dev.oriel.ibverbs.queue;

import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ports.queue.RemoteNetwork;

/** With requests that the peer executes by copies. */
final class UcxMailboxNetworkTest extends UcxNetworkTest {
  @Override
  RemoteNetwork remote(int slots) {
    return UcxNetwork.copying(slots, VerbsSettings.USUAL.depth());
  }
}
