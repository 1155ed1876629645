package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import dev.oriel.sim.search.SharedStatesComparison;
import dev.oriel.sim.search.ThreadedSearchComparison;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A search on several threads has the counts, the violation and the limit of one thread. */
class ThreadedSearchTest {
  private static final int ALL = 25;
  private static final int PROGRAMS = Thorough.count(3, ALL);
  private static final String FINGERPRINTS = "40000";
  private static final Witnesses WITNESSES = new Witnesses("threads", StepMemoTest.programs(ALL));

  static List<EngineMutant> mutants() {
    return ThreadedSearchMutants.ALL;
  }

  @AfterAll
  static void write() {
    WITNESSES.write();
  }

  @Test
  void searchesOnOneTwoAndThreeThreadsAgree() {
    long states = 0;
    int programs = 0;
    for (String program : StepMemoTest.programs(PROGRAMS)) {
      try {
        ThreadedSearchComparison.Comparison all = ThreadedSearchComparison.compare(program);
        assertThat(all.difference()).as(program).isEmpty();
        boolean counts = all.together() && all.complete();
        states += counts ? all.states() : 0;
        programs += counts ? 1 : 0;
      } catch (ProgramException e) {
        // It cannot be bound: another is drawn.
      }
    }
    System.out.printf("on threads: complete programs=%d, states=%d%n", programs, states);
    assertThat(programs).isGreaterThan(2 * PROGRAMS);
    assertThat(states).isGreaterThan(100L * programs);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  @Sampled(every = 5)
  void everyMutantIsDetected(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.THREADS, mutant);
    assertThat(WITNESSES.any(mutant, program -> MutantLoader.differs(changed, program))).isTrue();
  }

  @Test
  void eachFingerprintIsNewToOneThread() {
    assertThat(new SharedStatesComparison().apply(FINGERPRINTS)).isEmpty();
  }

  /** Threads that use a set at once break it, or count a state twice. */
  @Test
  void aSetThatThreadsUseAtOnceIsDetected() throws Exception {
    EngineMutant mutant = new EngineMutant("SharedStates", "synchronized (set) {", "{");
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.SHARED, mutant);
    boolean detected = false;
    for (int i = 0; i < 20 && !detected; i++) {
      detected = MutantLoader.differs(changed, FINGERPRINTS);
    }
    assertThat(detected).isTrue();
  }
}
