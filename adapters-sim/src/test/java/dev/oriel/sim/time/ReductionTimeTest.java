package dev.oriel.sim.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of sources cost as much as in the slow driver, which adds them one by one. */
class ReductionTimeTest {
  @ParameterizedTest
  @ValueSource(strings = {"1x1", "1x3", "1x4", "3x1", "2x2"})
  void reductionsCostTheSameInTheSlowDriver(String world) {
    Topology topology = Topology.parse(world);
    for (String name : ShippedPrograms.REDUCING) {
      for (long bytes : new long[] {0, 4, 1000, 20_000}) {
        Program program =
            Program.bind(
                ShippedPrograms.form(name),
                topology.world(),
                ShippedPrograms.params(ShippedPrograms.form(name), bytes, 0));
        LinkModel model = LinkText.profile("h200");
        SlowTime slow = new SlowTime(program, topology, model, 2, Set.of(), 1);
        long[] ends = slow.run();
        CostPrediction fast = new TimeDriver(program, topology, model, 2, Map.of()).run();
        for (int launch = 0; launch < ends.length; launch++) {
          assertThat(fast.ends().get(launch))
              .as("%s, %s, bytes=%d, launch=%d", name, world, bytes, launch)
              .isCloseTo(ends[launch] / 1e3, withinPercentage(1));
        }
        assertThat(fast.traffic().bytes()).isEqualTo(slow.bytes());
      }
    }
  }
}
