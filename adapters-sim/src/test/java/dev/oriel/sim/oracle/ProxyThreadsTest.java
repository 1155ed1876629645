package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random programs have the same outcomes whether lanes post themselves or a proxy posts for them. A
 * proxy may forward and report at once, and otherwise only delay others. {@link PlainSearchTest}
 * compares it with a search without proxies.
 */
class ProxyThreadsTest {
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
  void proxyNeitherAddsNorRemovesOutcomes(String shape, String profile, int all, String kinds) {
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
          // With a finding, other steps precede it.
          if (full || direct.found.isEmpty()) {
            assertThat(handed.outcomes).as(text).isEqualTo(direct.outcomes);
          }
          direct.found.forEach(k -> met.merge(k, 1, Integer::sum));
          compared += full ? 1 : 0;
        }
      } catch (ProgramException e) {
        // Binding rejects it: drawn programs may exceed their buffers.
      }
    }
    for (String kind : kinds.split(" ", -1)) {
      assertThat(met).containsKey(Kind.valueOf(kind));
    }
  }

  private static Endings endings(String text, String shape, String profile, boolean full) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    Simulation simulation =
        new Simulation(
            program,
            topology,
            FormLowering.lower(program.form(), topology.kinds()),
            new ExecutionSettings(Profile.parse(profile), 1, DetectorSet.ALL, TimeoutPolicy.NEVER));
    return Endings.systematic(simulation, full, Battery::memory);
  }
}
