package dev.oriel.sim.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.LaunchExtrapolation.Launches;
import dev.oriel.sim.machine.launch.InitialState;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  private static Launches runs(String text) {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(FormParser.parse(text), 2, Map.of());
    WorldCode code =
        new WorldCode(program, EngineRequirements.lower(program, topology, topology.kinds()));
    return Simulation.launches(code, topology);
  }

  @Test
  void growthContinuesAsInTheFirstLaunches() {
    Launches runs = runs(GROWS);
    assertContinues(runs);
    assertThat(runs.first(3).words).contains(3, 9, 15);
    assertThat(runs.first(3).memory).contains(21);
  }

  private static Launches body(String body) {
    return runs(
        """
        form f
        scratch tally[64]
        signal S[2]
        barrier B
        lane main: sm(32) {
          %s
          barrier B
        }
        """
            .formatted(body.replace(": ", "\n")));
  }

  /** Values that are set anew in each launch, and some that grow at their own rhythm. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "signal S[0]@peers set epoch % 3 release",
        "signal S[0]@peers set epoch % 4 release",
        "signal S[0]@peers set epoch % 7 release",
        "store tally[0] <- epoch % 4: load x <- tally[0]",
        "store tally[8 * (epoch % 5)] <- epoch: load x <- tally[0]",
      })
  void otherRhythmsContinue(String body) {
    assertContinues(body(body));
  }

  /** A state that grows in every second to eighth launch is not taken for one of another rhythm. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyRhythmIsTold(int period) {
    assertContinues(body("state s: if epoch % " + period + " == 0 { set s = s + 1 }"));
  }

  private static void assertContinues(Launches runs) {
    for (int launches = LaunchExtrapolation.RUN + 1;
        launches <= LaunchExtrapolation.RUN + 16;
        launches++) {
      InitialState run = runs.first(launches);
      InitialState grown = LaunchExtrapolation.grown(launches, runs);
      assertThat(grown.registers).as("%d", launches).isEqualTo(run.registers);
      assertThat(grown.words).as("%d", launches).isEqualTo(run.words);
      assertThat(grown.memory).as("%d", launches).isEqualTo(run.memory);
    }
  }

  /** Values that look as if they grew, or that no few launches tell. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "signal S[0]@peers set epoch % 16 release",
        "signal S[0]@peers set epoch % 1000 release",
        "signal S[0]@peers set min(epoch, 30) release",
        "store tally[8 * (epoch % 64 / 8)] <- epoch: load x <- tally[0]",
        "store tally[0] <- epoch * epoch: load x <- tally[0]",
        "store tally[epoch % 5] width 1 <- epoch: load x <- tally[0] width 1",
      })
  void whatDoesNotContinueIsRefused(String body) {
    Launches runs = body(body);
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 20, runs))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("launches=1048576");
  }

  /** No lane reads these words. */
  @Test
  void memoryThatIsOnlyMovedMayGrowInAnyWay() {
    InitialState state = LaunchExtrapolation.of(1L << 20, body("store tally[0] <- epoch * epoch"));
    assertThat(state.memory).contains(1L << 40);
  }

  @Test
  void irregularGrowthIsRejected() {
    Launches squares = runs(GROWS.replace("add 3", "add epoch"));
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 40, squares))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("launches=1099511627776");
    Launches stuck = runs(GROWS.replace("reached epoch", "reached epoch + 1"));
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 40, stuck))
        .isInstanceOf(MachineException.class)
        .hasMessageContaining("found=deadlock");
  }

  /** The lane is then in the middle of its loop, where no step may begin. */
  @Test
  void aLoopThatIsTooLongIsRejected() {
    Launches loop = runs("form f lane main: sm(32) { for a < 4000000000 { sync } }");
    assertThatThrownBy(() -> LaunchExtrapolation.of(1L << 40, loop))
        .isInstanceOf(MachineException.class)
        .hasMessage(
            "cannot begin after launches that do not end well: launches=2, found=no end; begin with the first");
  }
}
