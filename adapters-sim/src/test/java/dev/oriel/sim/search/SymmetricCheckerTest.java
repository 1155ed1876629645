package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program with symmetric ranks, correct and broken, searched with and without symmetry reduction.
 */
class SymmetricCheckerTest {
  private static final String EXCHANGE =
      """
      form exchange
      input in[8]
      output out[8]
      signal READY[1]
      signal DATA[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes 8
      lane main: sm(32) {
        signal READY[0]@((r - 1) % n) set epoch release
        await READY[0]@((r + 1) % n) reached epoch acquire
        move out@((r + 1) % n)[0] <- in[0] bytes 8
        signal DATA[0]@((r + 1) % n) set epoch release
        await DATA[0]@((r - 1) % n) reached epoch acquire
        flush @((r + 1) % n) local
      }
      """;

  private static CheckReport check(Form form, String shape, boolean symmetric) {
    Topology topology = Topology.parse(shape);
    Checker checker =
        new Checker(
            Strategy.FULL,
            new Budget(1, 100_000, 100_000, 2_000_000_000),
            1,
            Checker.strict(Profile.L2, 1));
    return (symmetric ? checker.symmetric() : checker)
        .explore(
            Program.bind(
                form, topology.world(), form.params().isEmpty() ? Map.of() : Map.of("B", 16L)),
            topology);
  }

  @ParameterizedTest
  @CsvSource({
    "1x3, set epoch release, set epoch relaxed",
    "1x3, reached epoch acquire, reached epoch relaxed",
    "3x1, reached epoch acquire, reached epoch relaxed",
    "2x1, flush @((r + 1) % n) local, sync",
    "1x4, await READY[0]@((r + 1) % n) reached epoch acquire, sync",
    "1x3, move out@((r + 1) % n)[0], move out@((r - 1) % n)[0]"
  })
  void brokenProgramsAreStillFound(String shape, String line, String becomes) {
    assertThat(EXCHANGE).contains(line);
    Form broken = FormParser.parse(EXCHANGE.replace(line, becomes));
    CheckReport whole = check(broken, shape, false);
    CheckReport reduced = check(broken, shape, true);
    assertThat(reduced.parts().getFirst().reduction()).contains("; symmetry: ", " renamings of");
    assertThat(whole.verdict().holds()).isFalse();
    assertThat(reduced.verdict().holds()).isFalse();
    CheckReport.Found found = reduced.found().orElseThrow();
    assertThat(TokenReplay.play(found.token().orElseThrow(), broken).finding()).isPresent();
  }

  /** Unused entries for requests name a word, and this program has none. */
  @Test
  void requestsNeedNoWords() {
    Form form =
        FormParser.parse(
            """
            form wordless
            scratch mine[8]
            scratch box[8]
            lane main: sm(32) {
              put box@((r + 1) % n)[0] <- mine[0] bytes 8
              quiet
            }
            """);
    CheckReport whole = check(form, "2x1", false);
    CheckReport reduced = check(form, "2x1", true);
    assertThat(whole.verdict().holds()).isTrue();
    assertThat(reduced.verdict().holds()).isTrue();
    assertThat(reduced.verdict().states()).isLessThan(whole.verdict().states());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x3", "1x4", "2x2", "3x1"})
  void correctProgramsHoldWithFewerStates(String shape) {
    CheckReport whole = check(FormParser.parse(EXCHANGE), shape, false);
    CheckReport reduced = check(FormParser.parse(EXCHANGE), shape, true);
    System.out.printf(
        "%s: states=%d, reduced to %d: %s%n",
        shape,
        whole.verdict().states(),
        reduced.verdict().states(),
        reduced.parts().getFirst().reduction());
    assertThat(whole.verdict().bounds()).isEmpty();
    assertThat(reduced.verdict().bounds()).isEmpty();
    assertThat(whole.verdict().holds()).isTrue();
    assertThat(reduced.verdict().holds()).isTrue();
    assertThat(reduced.verdict().states() * 10).isLessThan(whole.verdict().states() * 6);
  }

  @Test
  void aVerdictNamesTheReasonForNoReduction() {
    Form loads =
        FormParser.parse(
            """
            form loads
            input in[8]
            signal S[1]
            lane main: sm(32) {
              load x <- in[0] <= 9 else 1
              signal S[0]@peers set x + 1 release
            }
            """);
    CheckReport report = check(loads, "1x2", true);
    assertThat(report.parts().getFirst().reduction())
        .contains("symmetry: none: ")
        .contains("are loaded");
  }
}
