package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decisions that led to a state determine it. */
class RepeatTest {
  private static final int PROGRAMS = 80;

  private static Simulation simulation(String text, String shape) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new Simulation(
        program,
        topology,
        FormLowering.lower(program.form(), topology.kinds()),
        new ExecutionSettings(Profile.L3, 2, DetectorSet.VALUES, TimeoutPolicy.NEVER));
  }

  /**
   * Fingerprints after every step; {@code keep} steps are taken, saved, overwritten and restored.
   */
  private static List<Long> walk(Simulation simulation, long seed, int keep) {
    return simulation.exploring(() -> {
      List<Long> prints = new ArrayList<>();
      Random random = new Random(seed);
      simulation.restart();
      while (simulation.enabled() > 0) {
        if (prints.size() == keep) {
          simulation.save(0);
          Random other = new Random(~seed);
          for (int i = 0; i < 5 && simulation.enabled() > 0; i++) {
            int enabled = simulation.enabled();
            if (simulation
                .step(simulation.enabledAt(other.nextInt(enabled)), other::nextInt)
                .isPresent()) {
              break;
            }
          }
          simulation.restore(0);
        }
        int agent = simulation.enabledAt(random.nextInt(simulation.enabled()));
        if (simulation.step(agent, random::nextInt).isPresent()) {
          break;
        }
        Fingerprint print = new Fingerprint();
        print.clear();
        simulation.digest(print);
        prints.add(print.high() ^ print.low());
      }
      return prints;
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3", "3x1"})
  void equalDecisionsLeadToEqualStates(String shape) {
    int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
    int steps = 0;
    for (long seed = 0; seed < PROGRAMS; seed++) {
      String text = PlainPrograms.text(seed, world, shape.charAt(0) > '1');
      Simulation first;
      try {
        first = simulation(text, shape);
      } catch (ProgramException e) {
        continue;
      }
      List<Long> prints = walk(first, seed, -1);
      steps += prints.size();
      assertThat(walk(simulation(text, shape), seed, -1)).as(text).isEqualTo(prints);
      assertThat(walk(first, seed, prints.size() / 2)).as(text).isEqualTo(prints);
    }
    assertThat(steps).isGreaterThan(PROGRAMS);
  }
}
