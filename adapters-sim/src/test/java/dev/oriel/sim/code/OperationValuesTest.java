package dev.oriel.sim.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.engine.EngineRequirements;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A lane's names are found by compiling it once more, so both compilations must place each
 * instruction alike.
 */
class OperationValuesTest {
  static Stream<String> programs() {
    return Stream.concat(ShippedPrograms.NAMES.stream(), ShippedPrograms.REDUCING.stream());
  }

  @ParameterizedTest
  @MethodSource("programs")
  void everyInstructionOfAnOperationHasItsNames(String name) {
    for (String world : new String[] {"1x2", "2x2"}) {
      Topology topology = Topology.parse(world);
      Form form = ShippedPrograms.form(name);
      Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 1000, 0));
      WorldCode code =
          new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
      for (int lane = 0; lane < code.lanes().size(); lane++) {
        everyInstruction(code, lane);
      }
    }
  }

  private static void everyInstruction(WorldCode code, int lane) {
    LaneInstructions instructions = code.lanes().get(lane);
    OperationValues values = code.values(lane);
    long[] registers = new long[instructions.registers()];
    int[] ops = instructions.ops();
    for (int at = 0; at < ops.length; at = instructions.next(at)) {
      if (instructions.operation(at) < 0) {
        continue;
      }
      OperationValues.Resolved resolved = Objects.requireNonNull(values.at(at, registers, 0));
      assertThat(resolved.text()).isEqualTo(values.text(at)).isNotEmpty();
      // A signal or wait of the program itself is the very step, without names.
      if (ops[at] == LaneOpcode.WRITE_SLOT && resolved.text().startsWith("signal")) {
        assertThat(resolved.resolved()).matches("signal \\w+\\[\\d+]\\S* (set|add) \\d+ \\w+.*");
      }
    }
  }
}
