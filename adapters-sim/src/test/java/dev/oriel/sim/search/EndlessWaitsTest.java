package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    return explored(form, strategy, DetectorSet.ALL);
  }

  private static CheckReport explored(Form form, Strategy strategy, DetectorSet detectors) {
    Topology topology = Topology.parse("1x1");
    Program program = Program.bind(form, topology.world(), Map.of());
    return new Checker(
            strategy, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1).looking(detectors))
        .explore(program, topology);
  }

  private static String kind(String more, Strategy strategy) {
    return kind(more, strategy, DetectorSet.ALL);
  }

  private static String kind(String more, Strategy strategy, DetectorSet detectors) {
    Form form = FormParser.parse(TAKEN_AND_FREED.formatted(more));
    Verdict verdict = explored(form, strategy, detectors).verdict();
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

  /** A wait that lasts for ever is a result, also where races are allowed. */
  @ParameterizedTest
  @ValueSource(strings = {"FULL", "SYNCHRONISATION", "RANDOM", "PORTFOLIO"})
  void resultsIncludeWaitsThatMissTheLastValue(String strategy) {
    Strategy by = Strategy.valueOf(strategy);
    assertThat(kind("", by, DetectorSet.RESULTS)).isEqualTo("nothing");
    assertThat(kind("store word[0] <- 1 relaxed", by, DetectorSet.RESULTS)).isEqualTo("overwrite");
    Form two =
        FormParser.parse(
            """
            form two
            scratch x[8]
            lane waits: host {
              wait x[0] == 1 relaxed
            }
            lane stores: host {
              store x[0] <- 1 relaxed
              store x[0] <- 2 relaxed
            }
            """);
    CheckReport report = explored(two, by, DetectorSet.RESULTS);
    assertThat(report.verdict().violation().orElseThrow().kind()).isEqualTo("overwrite");
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(token.profile()).isEqualTo("L2_results");
    assertThat(TokenReplay.play(token, two).finding()).isPresent();
  }

  /** The word stays taken only if the load comes before the store that it races with. */
  @ParameterizedTest
  @CsvSource({"L0, FULL", "L0, PORTFOLIO", "L2, FULL", "L2, PORTFOLIO"})
  void aRaceMayDecideWhetherAWaitEnds(String profile, String strategy) {
    Form form =
        FormParser.parse(
            """
            form decided
            scratch word[8]
            scratch data[8]
            scratch mark[8]
            lane marks: host {
              store mark[0] <- 1
            }
            lane waits: host {
              wait word[0] == 0 relaxed
            }
            lane takes: host {
              load seen <- mark[0]
              atomic data[0] <- word[0] cas 0, 1
              store word[0] <- 0 relaxed
              if seen == 0 {
                store word[0] <- 1 relaxed
              }
            }
            """);
    Topology topology = Topology.parse("1x1");
    ExecutionSettings settings =
        Checker.strict(Profile.parse(profile), 1).looking(DetectorSet.RESULTS);
    Verdict verdict =
        new Checker(Strategy.valueOf(strategy), Budget.DEFAULT, 1, settings)
            .check(Program.bind(form, topology.world(), Map.of()), topology);
    assertThat(verdict.violation().map(Verdict.Violation::kind)).contains("overwrite");
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
