package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Across draws, loaded words of inputs take every value that matters to the lanes. */
class InputDrawsTest {
  private static CheckReport explored(Form form, Strategy strategy) {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(form, topology.world(), Map.of());
    return new Checker(strategy, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
        .drawing()
        .explore(program, topology);
  }

  private static Form form(String bound, String wrong) {
    return FormParser.parse(
        """
        form loads
        input in[32]
        scratch word[8]
        lane main: host {
          load a <- in[0]%s
          load b <- in[8]%s
          %s
        }
        """
            .formatted(bound, bound, wrong));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
                          | check a != 37 else 1
                          | if a >= 1000 and a <= 1001 { check a == 0 else 1 }
                          | check a % 11 != 3 else 1
                          | check b / 100 < 3 else 1
                          | if a == 5 and b == 2 { check a == b else 1 }
           <= 4096 else 7 | check a <= 4000 else 1
           <= 4096 else 7 | if a == 4096 and b == 4095 { check a == b else 1 }
           <= 50 else 7   | check a + b != 41 else 1
                          | check max(a, 300) == 300 else 1
                          | let page = a >> 8 check page != 3 else 1
                          | let square = a * a check square != 1369 else 1
                          | let off = a + 5 check off != 542 else 1
          """)
  void aValueThatTheTextComparesIsDrawn(String bound, String wrong) {
    Form form = form(bound == null ? "" : " " + bound, wrong);
    CheckReport report = explored(form, Strategy.PORTFOLIO);
    Violation violation = report.verdict().violation().orElseThrow();
    assertThat(violation.kind()).isEqualTo("check");
    assertThat(report.verdict().strategy()).contains("inputs=");
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(
            TokenReplay.play(ReplayToken.parse(token.toString()), form)
                .finding()
                .orElseThrow()
                .message())
        .isEqualTo(violation.message());
  }

  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "SYNCHRONISATION", "FULL", "RANDOM", "FIFO"})
  void aValueBeyondTheBoundIsNotDrawn(Strategy strategy) {
    CheckReport report = explored(form(" <= 20 else 7", "check a <= 20 else 1"), strategy);
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().strategy()).containsPattern(", inputs=\\d\\d+ draws");
    assertThat(report.verdict().executions()).isGreaterThan(21);
  }

  @Test
  void aProgramThatLoadsNoInputHasNoDraws() {
    Form form =
        FormParser.parse(
            """
            form plain
            input in[8]
            output out[8]
            lane main: host {
              move out[0] <- in[0] bytes 8
            }
            """);
    assertThat(explored(form, Strategy.PORTFOLIO).verdict().strategy()).doesNotContain("inputs");
  }
}
