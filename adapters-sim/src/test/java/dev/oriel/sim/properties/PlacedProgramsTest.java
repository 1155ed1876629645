package dev.oriel.sim.properties;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.placement.InPlace;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.Space;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.ShippedProgram;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs with and without an in-place form: one without such a form would fail in place. */
class PlacedProgramsTest {
  private static final List<String> WORLDS = List.of("1x2", "2x1", "1x3");

  static Stream<String> apart() {
    return ShippedProgram.ALL.stream().filter(p -> !p.apart().isEmpty()).map(ShippedProgram::text);
  }

  @ParameterizedTest
  @MethodSource("apart")
  void programsRejectedInPlaceWouldFail(String name) {
    Form placed = InPlace.of(ShippedPrograms.form(name));
    assertThat(WORLDS.stream().filter(world -> goesWrong(placed, world))).isNotEmpty();
  }

  private static boolean goesWrong(Form form, String world) {
    try {
      return check(form, world).isPresent();
    } catch (ProgramException e) {
      return String.valueOf(e.getMessage()).contains("overlapping regions");
    }
  }

  /** Packets that are sent from a place and return to it: only the added edge is in between. */
  @ParameterizedTest
  @ValueSource(
      strings = {"ll_all_reduce", "two_shot_all_reduce", "ll_reduce_scatter", "ll_send_recv"})
  void withoutTheAddedEdgeThereIsARace(String name) {
    Form right = InPlace.of(ShippedPrograms.form(name));
    Form wrong = FormParser.parse(FormPrinter.print(right).replaceAll("\\s+sync\n", "\n"));
    assertThat(check(right, "1x2")).isEmpty();
    assertThat(check(wrong, "1x2").orElseThrow().message()).contains("race").contains("sync");
  }

  /**
   * The table in it/docs/reference/programs.md: a program that is neither in place nor rejected
   * with a reason has more buffers.
   */
  @Test
  void everyOtherProgramHasAFormInPlaceOrSeveralBuffers() {
    for (ShippedProgram program : ShippedProgram.ALL) {
      Form form = ShippedPrograms.form(program.text());
      boolean one = count(form, Space.INPUT) == 1 && count(form, Space.OUTPUT) == 1;
      if (one) {
        assertThat(InPlace.of(form).buffers())
            .as(program.name())
            .filteredOn(b -> b.space() == Space.INOUT)
            .hasSize(1);
      } else {
        assertThat(program.apart()).as(program.name()).isEmpty();
      }
    }
  }

  private static long count(Form form, Space space) {
    return form.buffers().stream().filter(b -> b.space() == space).count();
  }

  private static Optional<Verdict.Violation> check(Form form, String world) {
    Topology topology = Topology.parse(world);
    Map<String, Long> params = ShippedPrograms.params(form, 100, 1);
    Program program = Program.bind(form, topology.world(), params);
    return new Checker(
            Strategy.RANDOM, new Budget(20, 1, 2_000_000, 1), 1, Checker.strict(Profile.L2, 3))
        .check(program, topology)
        .violation();
  }
}
