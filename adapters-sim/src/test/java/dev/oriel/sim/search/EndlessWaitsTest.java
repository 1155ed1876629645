package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.terms.Profile;
import dev.oriel.sim.replay.ReplayToken;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait that may miss a value is wrong if and only if it may last for ever. */
class EndlessWaitsTest {
  /** A lane waits until a word is free, while others take and free it. */
  private static final String TAKEN_AND_FREED =
      """
      form freed
      scratch word[8]
      scratch data[8]
      lane waits: host {
        wait word[0] == 0 relaxed
      }
      lane takes: host {
        atomic data[0] <- word[0] cas 0, 1
        store word[0] <- 0 relaxed
        %s
      }
      """;

  private static CheckReport explored(Form form, Strategy strategy) {
    Topology topology = Topology.parse("1x1");
    Program program = Program.bind(form, topology.world(), Map.of());
    return new Checker(strategy, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
        .explore(program, topology);
  }

  private static String kind(String more, Strategy strategy) {
    Verdict verdict =
        explored(FormParser.parse(TAKEN_AND_FREED.formatted(more)), strategy).verdict();
    return verdict.violation().map(Verdict.Violation::kind).orElse("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FULL", "SYNCHRONISATION", "RANDOM", "PORTFOLIO"})
  void aWordThatIsFreedEndsTheWait(String strategy) {
    assertThat(kind("", Strategy.valueOf(strategy))).isEqualTo("nothing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FULL", "SYNCHRONISATION", "RANDOM", "PORTFOLIO"})
  void aWordThatStaysTakenIsReported(String strategy) {
    assertThat(kind("store word[0] <- 1 relaxed", Strategy.valueOf(strategy)))
        .isEqualTo("overwrite");
  }

  @Test
  void aTokenOfARaceReplaysWithWaitsThatEnd() {
    String race = TAKEN_AND_FREED.formatted("") + "lane races: host {\n  store data[0] <- 1\n}\n";
    Form form = FormParser.parse(race);
    CheckReport report = explored(form, Strategy.SYNCHRONISATION);
    assertThat(report.verdict().violation().orElseThrow().kind()).isEqualTo("race");
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(
            TokenReplay.play(ReplayToken.parse(token.toString()), form)
                .finding()
                .orElseThrow()
                .message())
        .isEqualTo(report.verdict().violation().orElseThrow().message());
  }
}
