package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.sim.oracle.EngineMutants.EngineMutant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A step that is recalled does what it would do if it were taken. */
class RecallTest {
  private static final int PROGRAMS = 25;
  private static final List<String> SHAPES = List.of("2x1", "1x2", "3x1", "1x3");
  private static final List<String> PROFILES = List.of("L2", "L3", "rdma-strict", "L1");

  /** Random programs by shape and profile; of some it is not known what their steps touch. */
  private static List<String> programs() {
    List<String> programs = new ArrayList<>();
    for (String shape : SHAPES) {
      int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
      for (long seed = 0; seed < PROGRAMS * PROFILES.size(); seed++) {
        String text = PlainPrograms.text(seed, world, shape.charAt(0) > '1');
        String profile = PROFILES.get((int) seed % PROFILES.size());
        programs.add(shape + " " + profile + "\n" + text);
      }
    }
    return programs;
  }

  static List<EngineMutant> mutants() {
    return RecallMutants.ALL;
  }

  @Test
  void whatIsRecalledIsWhatHappens() {
    long recalled = 0;
    int programs = 0;
    for (String program : programs()) {
      try {
        Repeats.Comparison comparison = Repeats.compare(program);
        assertThat(comparison.difference()).as(program).isEmpty();
        recalled += comparison.recalled();
        programs += comparison.recalled() > 0 ? 1 : 0;
      } catch (ProgramException e) {
        continue;
      }
    }
    System.out.printf("recalled: programs=%d, steps=%d%n", programs, recalled);
    assertThat(programs).isGreaterThan(PROGRAMS * SHAPES.size());
    assertThat(recalled).isGreaterThan(100L * programs);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aChangeOfWhatIsRecalledShows(EngineMutant mutant) throws Exception {
    UnaryOperator<String> changed = MutantLoader.battery(MutantLoader.Engine.RECALL, mutant);
    assertThat(programs().stream().anyMatch(program -> differs(changed, program))).isTrue();
  }

  private static boolean differs(UnaryOperator<String> changed, String program) {
    try {
      return !changed.apply(program).isEmpty();
    } catch (ProgramException e) {
      return false;
    } catch (RuntimeException e) {
      return true;
    }
  }
}
