package dev.oriel.sim.testing;

import static dev.oriel.sim.testing.Explorer.assertHolds;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.sim.ranks.MemberCode;
import dev.oriel.sim.ranks.RankArena;
import dev.oriel.sim.ranks.RankCodeExploration;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example of communicators in {@code it/docs/howto/test-rank-code.md}. */
class JoinTest {
  private static final WindowSpec HAT =
      WindowSpec.named("hat").withData(DataSizes.uniform(2)).withSignals(1);

  @Test
  void everybodyHearsOfEverybody() {
    MemberCode code =
        (machine, ranks) -> {
          try (Communicator world = machine.join(ranks);
              Window hat = world.window(HAT)) {
            hat.signalAll(0, 1);
            hat.awaitSum(0, Comparison.GE, 3, Duration.ofSeconds(1));
          }
        };
    RankArena arena = RankArena.of(4, List.of(HAT));
    assertHolds(
        RankCodeExploration.of(
            "join", arena, Topology.parse("2x2"), Thread::startVirtualThread, code));
  }
}
