package dev.oriel.sim.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A step with a random choice is never recalled, but the list of what it touched must still be
 * cleared. Enough other steps are recalled for the list to grow otherwise.
 */
class StepMemoFootprintTest {
  private static final int EXECUTIONS = 100_000;

  private static final String DRAWS =
      """
      form draws
      scratch box[8]
      signal S[1]
      lane main: host {
        signal S[0]@((r + 1) % n) set epoch release
        read x <- S[0]@((r - 1) % n) acquire
        for s < 40 { store box[0] <- s }
      }
      """;

  @Test
  void footprintHoldsAtMostOneExecution() {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(DRAWS), topology.world(), Map.of());
    Simulation simulation =
        new Simulation(
            program,
            topology,
            FormLowering.lower(program.form(), topology.kinds()),
            new ExecutionSettings(Profile.L2, 1, DetectorSet.ALL, TimeoutPolicy.NEVER));
    simulation.repeat(0);
    Random random = new Random(1);
    int most = 0;
    for (int execution = 0; execution < EXECUTIONS; execution++) {
      simulation.restart();
      while (simulation.enabled() > 0) {
        int agent = simulation.enabledAt(random.nextInt(simulation.enabled()));
        assertThat(simulation.step(agent, random::nextInt)).isEmpty();
      }
      assertThat(simulation.end()).isEmpty();
      most = Math.max(most, simulation.touched().size());
    }
    assertThat(simulation.recalled()).isGreaterThan(EXECUTIONS);
    assertThat(most).isBetween(1, 4 * topology.world());
  }
}
