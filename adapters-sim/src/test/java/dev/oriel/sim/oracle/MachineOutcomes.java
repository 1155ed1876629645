package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * The outcomes of every order of every step of a program on one rank: values of the lanes' own
 * registers, one outcome per line.
 */
public final class MachineOutcomes implements UnaryOperator<String> {
  @Override
  public String apply(String text) {
    Topology topology = Topology.parse("1x1");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    Simulation simulation =
        new Simulation(
            program,
            topology,
            lowered,
            new ExecutionSettings(Profile.L2, 1, DetectorSet.VALUES, TimeoutPolicy.NEVER));
    Endings ends = Endings.systematic(simulation, true, MachineOutcomes::registers);
    assertThat(ends.cut).as(text).isFalse();
    assertThat(ends.found).as(text).isEmpty();
    return String.join("\n", ends.outcomes);
  }

  /** A lane's first register is the epoch's. */
  private static String registers(Simulation s) {
    StringJoiner values = new StringJoiner(" ");
    for (int l = 0; l < s.code().lanes().size(); l++) {
      for (int r = 1; r < s.code().lanes().get(l).registers(); r++) {
        values.add(String.valueOf(s.register(l, r)));
      }
    }
    return values.toString();
  }
}
