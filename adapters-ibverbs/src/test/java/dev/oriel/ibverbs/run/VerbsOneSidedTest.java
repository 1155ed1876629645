package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.OneSidedContract;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/**
 * One-sided calls on the fake device, whose atomics take their time between the word's load and its
 * store: what changes the word meanwhile by another way than the device is lost.
 */
final class VerbsOneSidedTest {
  private static final FakeVerbs VERBS = new FakeVerbs();

  static {
    VERBS.slowAtomics();
  }

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
  }

  /** Each rank on a thread of its own. */
  @Nested
  final class Apart extends VerbsOneSidedContract {
    @Override
    protected List<Context> devices(int rank) {
      return List.of(VERBS.open());
    }
  }

  /** Each rank with two interfaces. */
  @Nested
  final class Railed extends VerbsOneSidedContract {
    @Override
    protected List<Context> devices(int rank) {
      return List.of(VERBS.open(), VERBS.open());
    }
  }

  /** All ranks on one thread. */
  @Nested
  final class Together extends OneSidedContract {
    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected List<Executor> open(Topology topology, FabricListener listener) {
      return List.of(
          new VerbsExecutor(
              List.of(VERBS.open()),
              Company.ALONE,
              VerbsSettings.USUAL,
              listener,
              System::nanoTime));
    }
  }
}
