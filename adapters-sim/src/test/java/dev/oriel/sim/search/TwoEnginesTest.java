package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.explore.RandomWalk;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the happens-before engine with the step engine, which shares neither its memory nor its
 * clocks. If random schedules of a changed program show a failure, the single execution must report
 * it.
 */
class TwoEnginesTest {

  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 1x2, 9", "ll_all_gather, 1x3, 9", "ll_all_gather, 2x1, 9",
    "ring_send_recv, 1x2, 600", "ring_send_recv, 1x3, 600", "ring_send_recv, 3x1, 600"
  })
  void failuresUnderRandomSchedulesAreReported(String name, String shape, long bytes) {
    Form form =
        name.startsWith("ring")
            ? ShippedPrograms.edited(name, "let S = 16384", "let S = 16")
            : ShippedPrograms.form(name);
    int shown = 0;
    int reported = 0;
    int refused = 0;
    List<Mutants.Mutant> mutants = Mutants.of(form);
    for (Mutants.Mutant mutant : mutants) {
      if (!Thorough.takes(mutants.size() > 20 ? 7 : 4, shape, mutant.change())) {
        continue;
      }
      Topology topology = Topology.parse(shape);
      Program program;
      try {
        program = Program.bind(mutant.form(), topology.world(), Map.of("B", bytes));
      } catch (ProgramException e) {
        refused++;
        continue;
      }
      Verdict walked = new RandomWalk(7, 3, 2).check(program, topology);
      Verdict ordered =
          new Checker(
                  Strategy.SYNCHRONISATION,
                  Budget.DEFAULT,
                  1,
                  Checker.strict(Profile.RDMA_STRICT, 3))
              .check(program, topology);
      reported += ordered.holds() ? 0 : 1;
      if (!walked.holds()) {
        shown++;
        assertThat(ordered.violation())
            .as(
                "%s %s: %s: random schedules found %s",
                name, shape, mutant.change(), walked.violation())
            .isPresent();
      }
    }
    System.out.printf(
        "%s %s: mutants=%d, refused at binding=%d, shown by random schedules=%d, reported=%d%n",
        name, shape, mutants.size(), refused, shown, reported);
    assertThat(shown).isPositive();
  }
}
