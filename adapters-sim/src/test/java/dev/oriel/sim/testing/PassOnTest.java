package dev.oriel.sim.testing;

import static dev.oriel.sim.testing.Explorer.assertHolds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.sim.ranks.RankCode;
import dev.oriel.sim.ranks.RankCodeExploration;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PassOnTest {
  private static final WindowSpec HAT =
      WindowSpec.named("hat").withData(DataSizes.uniform(2)).withSignals(1);

  @Test
  void everyByteMovesOn() {
    RankCode code =
        (window, rank) -> {
          window.write(0, new byte[] {(byte) rank});
          window.put((rank + 1) % 4, 1, 0, 1);
          window.signal((rank + 1) % 4, 0, 1);
          window.await((rank + 3) % 4, 0, Comparison.GE, 1, Duration.ofSeconds(1));
          assertThat(window.read(1, 1)[0]).isEqualTo((byte) ((rank + 3) % 4));
        };
    Topology world = Topology.parse("2x2");
    assertHolds(RankCodeExploration.of("pass-on", HAT, world, Thread::startVirtualThread, code));
  }
}
