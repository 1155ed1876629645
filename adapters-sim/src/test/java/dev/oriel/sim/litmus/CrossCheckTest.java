package dev.oriel.sim.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.sim.litmus.answer.CrossCheck;
import dev.oriel.sim.litmus.answer.CrossCheck.Result;
import dev.oriel.sim.litmus.answer.FinishedExecution;
import dev.oriel.sim.litmus.answer.LitmusOutcomes;
import dev.oriel.sim.litmus.answer.MemoryModel;
import dev.oriel.sim.litmus.answer.SearchBudget;
import dev.oriel.sim.litmus.test.LitmusTest;
import dev.oriel.sim.litmus.text.LitmusParser;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The results of the operational engine for the shapes in the resources, under every model. */
@SuppressWarnings("StringSplitter")
class CrossCheckTest {

  private static final Set<String> BUFFERING =
      Set.of(
          "g10-updates-around-narrow-sc-fences",
          "g26-load-buffering-without-dependency",
          "acquiring-update-passed-by-a-store");

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/litmus/verdicts.csv", numLinesToSkip = 1)
  void crossCheckHasTheExpectedResult(String name) {
    LitmusTest test = LitmusParser.parse(LitmusRowsTest.text(name + ".litmus"));
    for (MemoryModel model : MemoryModel.values()) {
      CrossCheck check = new LitmusChecker(model).check(test).crossCheck();
      assertThat(check.result()).as("%s %s", model, check).isEqualTo(expected(name, model, test));
    }
  }

  private static Result expected(String name, MemoryModel model, LitmusTest test) {
    if (!model.proxies() && test.proxies() > 0) {
      return Result.NONE;
    }
    return BUFFERING.contains(name) ? Result.NOT_REACHED : Result.AGREES;
  }

  /** Both engines judge the shapes that detect changes of the operational engine. */
  @ParameterizedTest
  @MethodSource("battery")
  void agreesOnTheBattery(String program) {
    String[] parts = program.split("\n", 2);
    LitmusChecker checker = new LitmusChecker(MemoryModel.parse(parts[0]));
    CrossCheck check = checker.check(LitmusParser.parse(parts[1])).crossCheck();
    assertThat(check.result())
        .as("%s %s", program, check)
        .isIn(Result.AGREES, Result.REACHED_FEWER, Result.NOT_REACHED);
  }

  static Stream<String> battery() {
    return Stream.of(LitmusRowsTest.text("battery.txt").split("(?m)^---\n"));
  }

  /** Threads that enter a barrier with different counts have no defined meaning. */
  @Test
  void theReasonForNoCheckIsReported() {
    LitmusTest strange =
        LitmusParser.parse(
            """
            PTX strange
            { x=0; }
            P0@cta 0,gpu 0    | P1@cta 0,gpu 0    ;
            bar.cta.sync 0, 0, 1 | bar.cta.sync 0, 0, 2 ;
            exists (x == 0)
            """);
    CrossCheck check = new LitmusChecker(MemoryModel.PTX_7_5).check(strange).crossCheck();
    assertThat(check).isEqualTo(CrossCheck.none("a barrier's quorums differ"));
  }

  @Test
  void comparesStates() {
    LitmusTest test =
        LitmusParser.parse("PTX one\n{ x=0; }\nP0@cta 0,gpu 0 ;\nst.weak x, 1 ;\nexists (x == 1)");
    LitmusOutcomes none = outcomes(test);
    LitmusOutcomes one = outcomes(test, 1);
    LitmusOutcomes two = outcomes(test, 1, 2);
    assertThat(CrossCheck.of(test, one, one, two))
        .isEqualTo(new CrossCheck(Result.DIFFERS, 2, "reached, but forbidden: state=[x=2]"));
    assertThat(CrossCheck.of(test, two, two, one))
        .isEqualTo(new CrossCheck(Result.DIFFERS, 1, "allowed, but not reached: state=[x=2]"));
    assertThat(CrossCheck.of(test, two, one, two))
        .isEqualTo(new CrossCheck(Result.DIFFERS, 2, "reached, but not by steps: state=[x=2]"));
    assertThat(CrossCheck.of(test, two, two, two).result()).isEqualTo(Result.AGREES);
    assertThat(CrossCheck.of(test, two, none, none).result()).isEqualTo(Result.NOT_REACHED);
    assertThat(CrossCheck.of(test, outcomes(test, 1, 2, 3), two, two).result())
        .isEqualTo(Result.REACHED_FEWER);
  }

  private static LitmusOutcomes outcomes(LitmusTest test, long... values) {
    LitmusOutcomes outcomes = new LitmusOutcomes(test, new SearchBudget(100));
    for (long value : values) {
      outcomes.add(
          new FinishedExecution() {
            @Override
            public long register(int thread, String name) {
              return 0;
            }

            @Override
            public List<Long> last(int memory) {
              return List.of(value);
            }
          });
    }
    return outcomes;
  }
}
