package dev.oriel.ibverbs.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.contract.QueueNetworkContract;
import dev.oriel.ports.queue.QueueNetwork;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** Before queue pairs of the fake device. */
final class ProxyVerbsNetworkTest extends QueueNetworkContract {
  private static final FakeVerbs VERBS = new FakeVerbs();

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
  }

  @Override
  protected QueueNetwork network(int slots) {
    return new ProxyNetwork(
        new VerbsCarrier(() -> List.of(VERBS.open()), VerbsSettings.USUAL), slots);
  }
}
