package dev.oriel.ibverbs.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ibverbs.verbs.FakeVerbs;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.Outcome;
import dev.oriel.ports.contract.ExecutorContract;
import dev.oriel.ports.contract.ShippedPrograms;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The executor on the fake device. */
final class VerbsExecutorTest {
  private static final FakeVerbs VERBS = new FakeVerbs();

  @AfterAll
  static void nothingIsLeft() {
    assertThat(VERBS.live()).isEmpty();
  }

  @Test
  void itsNameIsThatOfTheModule() {
    try (Executor executor = TestExecutors.alone(VERBS, FabricListener.NONE)) {
      assertThat(executor.name()).isEqualTo("ibverbs");
    }
  }

  /**
   * Also if a rejected launch requests the report of all requests, since no lane waits for it any
   * more.
   */
  @ParameterizedTest
  @ValueSource(strings = {"post_send", "poll_cq"})
  void aDeviceErrorAtAnyTimeIsAnOutcome(String call) {
    Program program = Program.bind(ShippedPrograms.form("ll_all_gather"), 2, Map.of("B", 1000L));
    int refused = 0;
    for (int fine = 0; ; fine++) {
      FakeVerbs verbs = new FakeVerbs();
      try (Executor executor = TestExecutors.alone(verbs, FabricListener.NONE);
          Executor.Instance instance = executor.prepare(program, Topology.grid(2, 1))) {
        verbs.failAfter(call, fine, 12);
        List<Outcome> outcomes = instance.launch(Duration.ofSeconds(60));
        if (outcomes.stream().allMatch(Outcome.Done.class::isInstance)) {
          break;
        }
        refused++;
        assertThat(outcomes).hasAtLeastOneElementOfType(Outcome.Aborted.class);
        assertThat(instance.launch(Duration.ofSeconds(60)))
            .hasOnlyElementsOfType(Outcome.Aborted.class);
      }
      assertThat(verbs.live()).isEmpty();
    }
    assertThat(refused).isGreaterThan(4);
  }

  /** Each rank on a thread of its own. */
  @Nested
  final class Apart extends VerbsExecutorContract {
    @Override
    protected List<DeviceContext> devices(int rank) {
      return List.of(VERBS.open());
    }
  }

  /** Each rank with two interfaces. */
  @Nested
  final class Railed extends VerbsExecutorContract {
    @Override
    protected List<DeviceContext> devices(int rank) {
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
      return List.of(TestExecutors.alone(VERBS, listener));
    }
  }
}
