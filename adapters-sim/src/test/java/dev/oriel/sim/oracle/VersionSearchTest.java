package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.search.VersionSearchComparison;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A search over versions of parts visits the states that a search over whole states does. */
class VersionSearchTest {
  private static final int ALL = 25;
  private static final int PROGRAMS = Thorough.count(4, ALL);
  private static final Witnesses WITNESSES = new Witnesses("versions", StepMemoTest.programs(ALL));

  static List<EngineMutant> mutants() {
    return StepMemoMutants.OF_SEARCH;
  }

  @AfterAll
  static void write() {
    WITNESSES.write();
  }

  @Test
  void bothSearchesVisitTheSameStates() {
    long states = 0;
    int programs = 0;
    for (String program : StepMemoTest.programs(PROGRAMS)) {
      try {
        VersionSearchComparison.Comparison both = VersionSearchComparison.compare(program);
        assertThat(both.difference()).as(program).isEmpty();
        states += both.versions() ? both.states() : 0;
        programs += both.versions() ? 1 : 0;
      } catch (ProgramException e) {
        // It cannot be bound: another is drawn.
      }
    }
    System.out.printf("in versions: programs=%d, states=%d%n", programs, states);
    assertThat(programs).isGreaterThan(4 * PROGRAMS);
    assertThat(states).isGreaterThan(100L * programs);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 10)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.VERSIONS, mutant);
    assertThat(WITNESSES.any(mutant, program -> MutantLoader.differs(changed, program))).isTrue();
  }
}
