package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.OneSidedContract;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/** One-sided calls of ranks that pass their requests to a proxy, on the fake device. */
final class ProxiedOneSidedTest extends OneSidedContract {
  private static final FakeVerbs VERBS = new FakeVerbs();

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
    assertThat(VERBS.atomics()).as("words that the device changed").isPositive();
  }

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  /** The proxy takes one request of each queue in turn. */
  @Override
  protected int drawn() {
    return 4;
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    VERBS.slowAtomics();
    return List.of(ProxiedExecutorContract.over(() -> List.of(VERBS.open()), listener));
  }
}
