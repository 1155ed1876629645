package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.verbs.Context;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.ExecutorContract;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The executor on the fake device. */
final class VerbsExecutorTest {
  private static final FakeVerbs VERBS = new FakeVerbs();

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
  }

  @Test
  void itsNameIsThatOfTheModule() {
    try (Executor executor =
        new VerbsExecutor(
            List.of(VERBS.open()),
            Company.ALONE,
            VerbsSettings.USUAL,
            FabricListener.NONE,
            System::nanoTime)) {
      assertThat(executor.name()).isEqualTo("ibverbs");
    }
  }

  /** Each rank on a thread of its own. */
  @Nested
  final class Apart extends VerbsExecutorContract {
    @Override
    protected List<Context> devices(int rank) {
      return List.of(VERBS.open());
    }
  }

  /** Each rank with two interfaces. */
  @Nested
  final class Railed extends VerbsExecutorContract {
    @Override
    protected List<Context> devices(int rank) {
      return List.of(VERBS.open(), VERBS.open());
    }
  }

  /** All ranks on one thread. */
  @Nested
  final class Together extends ExecutorContract {
    Together() {
      super(EnumSet.noneOf(Capability.class));
    }

    @Override
    protected Topology topology(int world) {
      return Topology.grid(world, 1);
    }

    @Override
    protected int largestWorld() {
      return 4;
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
