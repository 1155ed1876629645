package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ProgramOutcomes;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Blocks that begin in any order where there is room, over several launches: the reduced search
 * against every order of every step.
 */
final class LateBlocksTest {
  private static final Budget ALL = new Budget(1, 100_000, 200_000, 2_000_000_000);
  private static final Topology ONE = Topology.grid(1, 1);

  private static final String CHAIN =
      """
      form chain
      signal S[2]
      lane a: sm(32) {
        signal S[0]@r set epoch release
      }
      lane b: sm(32) {
        await S[0]@r reached epoch acquire
        signal S[1]@r set epoch release
      }
      lane c: sm(32) {
        await S[1]@r reached epoch acquire
      }
      """;

  /** Some texts name a scope where the language has none. */
  private static boolean parses(String text) {
    try {
      return program(text).world() == 1;
    } catch (ProgramException e) {
      return false;
    }
  }

  private static Program program(String text) {
    return Program.bind(FormParser.parse(text), 1, Map.of());
  }

  private static ProgramOutcomes outcomes(String text, int resident, int launches, boolean full) {
    Profile profile = Profile.parse("L2,resident=%d,anystart=1".formatted(resident));
    return ProgramOutcomes.of(program(text), ONE, Checker.strict(profile, launches), ALL, full);
  }

  /** A lane that begins before the one for which it waits may keep it from beginning. */
  @ParameterizedTest
  @CsvSource({"1, 1", "1, 2", "1, 3", "2, 1", "2, 2", "2, 3"})
  void aChainOfLanesDeadlocks(int resident, int launches) {
    for (boolean full : new boolean[] {false, true}) {
      ProgramOutcomes outcomes = outcomes(CHAIN, resident, launches, full);
      assertThat(outcomes.exhausted()).isTrue();
      assertThat(outcomes.findings()).containsExactly(Finding.Kind.DEADLOCK);
    }
  }

  @Test
  void theReducedSearchMissesNothing() {
    int compared = 0;
    int wrong = 0;
    for (long seed = 0; seed < Thorough.count(60, 600); seed++) {
      String text = PlainBlocks.text(seed, 3, 1);
      for (int resident = 1; resident <= 2 && parses(text); resident++) {
        ProgramOutcomes all = outcomes(text, resident, 2, true);
        if (all.exhausted()) {
          ProgramOutcomes reduced = outcomes(text, resident, 2, false);
          assertThat(reduced.exhausted()).isTrue();
          assertThat(reduced.findings().isEmpty())
              .as("seed=%d, resident=%d%n%s", seed, resident, text)
              .isEqualTo(all.findings().isEmpty());
          if (!all.findings().contains(Finding.Kind.RACE)) {
            assertThat(reduced.findings()).as(text).isEqualTo(all.findings());
          }
          compared++;
          wrong += all.findings().equals(Set.of()) ? 0 : 1;
        }
      }
    }
    assertThat(compared).isGreaterThan(30);
    assertThat(wrong).isBetween(compared / 10, compared - 5);
  }
}
