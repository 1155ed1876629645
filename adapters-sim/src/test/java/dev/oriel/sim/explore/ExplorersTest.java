package dev.oriel.sim.explore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplorersTest {

  private static final int MAX_STATES = 300_000;

  @ParameterizedTest
  @CsvSource({
    "ll_all_gather, 1x2, 9", "ll_all_gather, 1x3, 9", "ll_all_gather, 2x2, 9",
    "ll_all_gather, 2x1, 9", "ring_send_recv, 1x2, 40000", "ring_send_recv, 1x3, 40000",
    "ring_send_recv, 4x1, 40000", "ring_send_recv, 2x2, 40000"
  })
  @Sampled(every = 4)
  void randomWalksFindNothingInAShippedProgram(String name, String shape, long bytes) {
    Topology topology = Topology.parse(shape);
    Program program =
        Program.bind(ShippedPrograms.form(name), topology.world(), Map.of("B", bytes));
    Verdict verdict = new RandomWalk(1, 30, 3).check(program, topology);
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.executions()).isEqualTo(30);
  }

  @ParameterizedTest
  @CsvSource({"1x2, 1", "1x2, 2", "1x2, 3", "2x1, 1", "2x1, 2", "2x1, 3", "1x3, 1", "1x3, 3"})
  @Sampled(every = 3)
  void aSmallAllGatherIsExhausted(String shape, int launches) {
    Form form = ShippedPrograms.edited("ll_all_gather", ShippedPrograms.LANES, "let K = 1");
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(form, topology.world(), Map.of("B", 3L));
    Verdict verdict = new Exhaustive(MAX_STATES, launches).check(program, topology);
    assertThat(verdict.violation()).isEmpty();
    assertThat(verdict.bounds()).isEmpty();
  }
}
