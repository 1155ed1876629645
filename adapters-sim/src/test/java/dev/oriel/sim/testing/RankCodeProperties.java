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
import java.util.Arrays;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The generators of jqwik for programs also work for rank code. */
class RankCodeProperties {

  @Provide
  Arbitrary<Topology> worlds() {
    return WorldArbitraries.topologies(4).filter(t -> t.world() > 1);
  }

  @Provide
  Arbitrary<Long> sizes() {
    return SizeArbitraries.bytes(129);
  }

  @Property(tries = 15)
  void bytesMoveOn(@ForAll("worlds") Topology world, @ForAll("sizes") long bytes) {
    int ranks = world.world();
    RankCode code =
        (window, rank) -> {
          byte[] mine = new byte[(int) bytes];
          Arrays.fill(mine, (byte) (rank + 1));
          window.write(0, mine);
          window.put((rank + 1) % ranks, bytes, 0, bytes);
          window.signal((rank + 1) % ranks, 0, 1);
          int last = (rank + ranks - 1) % ranks;
          window.await(last, 0, Comparison.GE, 1, Duration.ofSeconds(1));
          Arrays.fill(mine, (byte) (last + 1));
          assertThat(window.read(bytes, (int) bytes)).isEqualTo(mine);
        };
    WindowSpec hat = WindowSpec.named("hat").withData(DataSizes.uniform(2 * bytes)).withSignals(1);
    assertHolds(RankCodeExploration.of("drawn", hat, world, Thread::startVirtualThread, code));
  }
}
