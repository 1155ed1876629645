package dev.oriel.sim.testing;

import static dev.oriel.sim.testing.Explorer.assertHolds;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.sim.ranks.RankCode;
import dev.oriel.sim.ranks.RankCodeExploration;
import org.junit.jupiter.api.Test;

/** The mistake of which the page about rank code speaks. */
final class PassOnMistakeTest {
  private static final WindowSpec HAT =
      WindowSpec.named("hat").withData(DataSizes.uniform(2)).withSignals(1);

  /** As the page says; no order of the writer's own calls repairs it, so none is proposed. */
  @Test
  void aReadThatWaitsForNothingIsARace() {
    RankCode code =
        (window, rank) -> {
          window.write(0, new byte[] {(byte) rank});
          window.put((rank + 1) % 4, 1, 0, 1);
          window.signal((rank + 1) % 4, 0, 1);
          byte[] _ = window.read(1, 1);
        };
    for (String shape : new String[] {"2x2", "1x4", "4x1"}) {
      RankCodeExploration exploration =
          RankCodeExploration.of(
              "pass-on", HAT, Topology.parse(shape), Thread::startVirtualThread, code);
      assertThatThrownBy(() -> assertHolds(exploration))
          .as(shape)
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("are not ordered")
          .hasMessageContaining("await it with acquire before the other")
          .hasMessageNotContaining("smallest repair");
    }
  }
}
