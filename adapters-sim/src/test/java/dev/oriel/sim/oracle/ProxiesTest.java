package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.Lowering;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.terms.Detectors;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.Timeouts;
import dev.oriel.sim.search.Endings;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever random programs come to where lanes post themselves they come to where a proxy posts for
 * them, and to nothing else: it may hand on at once and tell at once, and all that it can do beside
 * is to let others wait. {@link PlainSearchTest} compares it with a search that knows of no proxy.
 */
class ProxiesTest {
  @ParameterizedTest
  @CsvSource({
    "2x1, L0, 150, DEADLOCK VALUE",
    "2x1, L1, 150, RACE DEADLOCK VALUE",
    "2x1, L3, 100, RACE DEADLOCK VALUE",
    "2x1, rdma-multirail, 150, RACE DEADLOCK VALUE",
    "2x1, 'L2,depth=1', 250, RACE DEADLOCK VALUE",
    "2x1, 'L2,depth=2', 150, RACE DEADLOCK VALUE"
  })
  @Sampled(every = 3)
  void aProxyAddsNoOutcomeAndTakesNone(String shape, String profile, int all, String kinds) {
    int programs = Thorough.count(all / 2, all);
    Map<Kind, Integer> met = new EnumMap<>(Kind.class);
    int compared = 0;
    for (long seed = 0; compared < programs; seed++) {
      String text = PlainPrograms.text(seed, 2, true);
      try {
        for (boolean full : new boolean[] {false, true}) {
          Endings direct = endings(text, shape, profile, full);
          Endings handed = endings(text, shape, profile + ",proxy=1", full);
          if (direct.cut || handed.cut) {
            continue;
          }
          assertThat(handed.found)
              .as("%s seed=%d%n%s", profile, seed, text)
              .isEqualTo(direct.found);
          // Where something is found, other steps are taken before it.
          if (full || direct.found.isEmpty()) {
            assertThat(handed.outcomes).as(text).isEqualTo(direct.outcomes);
          }
          direct.found.forEach(k -> met.merge(k, 1, Integer::sum));
          compared += full ? 1 : 0;
        }
      } catch (ProgramException e) {
        // Refused when it was bound: drawn programs may leave their buffers.
      }
    }
    for (String kind : kinds.split(" ", -1)) {
      assertThat(met).containsKey(Kind.valueOf(kind));
    }
  }

  private static Endings endings(String text, String shape, String profile, boolean full) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(Parser.parse(text), topology.world(), Map.of());
    Simulation simulation =
        new Simulation(
            program,
            topology,
            Lowering.lower(program.form(), topology.kinds()),
            new Simulation.Terms(Profile.parse(profile), 1, Detectors.ALL, Timeouts.NEVER));
    return Endings.systematic(simulation, full, Battery::memory);
  }
}
