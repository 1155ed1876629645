package dev.oriel.sim.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.replay.Fault;
import dev.oriel.sim.replay.FaultPlan;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class SlowTimeProperties {
  private static final List<String> WORLDS =
      List.of("1x1", "1x2", "2x1", "1x4", "4x1", "2x2", "3x2", "5x1");

  @Property(tries = 400)
  void theFlatDriverAgreesWithTheSlowOne(@ForAll long seed) {
    Topology topology = Topology.parse(WORLDS.get(Math.floorMod(seed, WORLDS.size())));
    String text = RandomPrograms.draw(seed);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    int by = 1 + Math.floorMod(seed >> 8, 4);
    int peer = Math.min(1, program.world() - 1);
    FaultPlan faults = peer == 0 ? FaultPlan.NONE : FaultPlan.of(new Fault.Degrade(peer, 0, by));
    for (String links : LinkText.PROFILES) {
      LinkModel model = LinkText.profile(links);
      SlowTime slow = new SlowTime(program, topology, model, 3, Set.of(0, 1), by);
      long[] ends = slow.run();
      CostPrediction fast = new TimeDriver(program, topology, model, 3, Map.of(), faults).run();
      // Either of two simultaneous requests at a port may go first, and ends differ by that.
      for (int launch = 0; launch < ends.length; launch++) {
        assertThat(fast.ends().get(launch))
            .as("%s, %s, %s, launch=%d%n%s", links, topology, faults, launch, text)
            .isCloseTo(ends[launch] / 1e3, withinPercentage(1));
      }
      assertThat(fast.traffic().bytes()).isEqualTo(slow.bytes());
    }
  }
}
