package dev.oriel.sim.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.launch.InitialState;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** The result that a few launches predict for many equals the result of many. */
class LaunchExtrapolationTest {
  private static final String GROWS =
      """
      form grows
      scratch tally[24]
      scratch word[8]
      scratch box[16]
      signal S[2]
      signal T[1]
      barrier B
      lane main: sm(32) {
        state sent step 4
        signal S[epoch % 2]@peers set epoch release
        signal T[0]@peers add 3 relaxed
        set sent = sent + 4
        atomic word@(r)[0] add 5
        await S[epoch % 2]@peers reached epoch acquire
        store tally[8] <- epoch * 7
        move box[0] pkt8(nz32(epoch)) <- tally[8] bytes 8
        barrier B
      }
      """;

  private static IntFunction<InitialState> runs(String text) {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    WorldCode code =
        new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
    return launches -> Simulation.left(code, topology, launches);
  }

  @Test
  void growthContinuesAsInTheFirstLaunches() {
    IntFunction<InitialState> runs = runs(GROWS);
    for (int launches = 7; launches <= 2 * LaunchExtrapolation.RUN; launches++) {
      InitialState run = runs.apply(launches);
      InitialState grown = LaunchExtrapolation.grown(launches, runs);
      assertThat(grown.registers).as("%d", launches).isEqualTo(run.registers);
      assertThat(grown.words).as("%d", launches).isEqualTo(run.words);
      assertThat(grown.memory).as("%d", launches).isEqualTo(run.memory);
      assertThat(LaunchExtrapolation.of(launches, runs).words).isEqualTo(run.words);
    }
    assertThat(runs.apply(3).words).contains(3, 9, 15);
    assertThat(runs.apply(3).memory).contains(21);
  }

  @Test
  void irregularGrowthIsRejected() {
    IntFunction<InitialState> squares = runs(GROWS.replace("add 3", "add epoch"));
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 40, squares))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("launches=1099511627776");
    IntFunction<InitialState> stuck = runs(GROWS.replace("reached epoch", "reached epoch + 1"));
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 40, stuck))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("found=deadlock");
  }

  /** The lane is then in the middle of its loop, where no step may begin. */
  @Test
  void aLoopThatIsTooLongIsRejected() {
    IntFunction<InitialState> loop =
        runs("form f lane main: sm(32) { for a < 4000000000 { sync } }");
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 40, loop))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "cannot begin after launches that do not end well: launches=1, found=no end; begin with the first");
  }
}
