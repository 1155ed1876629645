package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.search.LevelSearchComparison;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A search level by level has the counts and the violation of a depth-first one. */
class LevelSearchTest {
  private static final int ALL = 25;
  private static final int PROGRAMS = Thorough.count(3, ALL);
  private static final Witnesses WITNESSES = new Witnesses("levels", StepMemoTest.programs(ALL));

  static List<EngineMutant> mutants() {
    return LevelSearchMutants.ALL;
  }

  @AfterAll
  static void write() {
    WITNESSES.write();
  }

  @Test
  void searchesInOneTwoAndFivePartsAgree() {
    long states = 0;
    int programs = 0;
    int violations = 0;
    for (String program : StepMemoTest.programs(PROGRAMS)) {
      try {
        LevelSearchComparison.Comparison all = LevelSearchComparison.compare(program);
        assertThat(all.difference()).as(program).isEmpty();
        states += all.states();
        programs += all.states() > 0 ? 1 : 0;
        violations += all.violation() ? 1 : 0;
      } catch (ProgramException e) {
        // It cannot be bound: another is drawn.
      }
    }
    System.out.printf(
        "in levels: complete programs=%d, states=%d, violations=%d%n",
        programs, states, violations);
    assertThat(programs).isGreaterThan(2 * PROGRAMS);
    assertThat(states).isGreaterThan(100L * programs);
    assertThat(violations).isPositive();
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 5)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.LEVELS, mutant);
    assertThat(WITNESSES.any(mutant, program -> MutantLoader.differs(changed, program))).isTrue();
  }
}
