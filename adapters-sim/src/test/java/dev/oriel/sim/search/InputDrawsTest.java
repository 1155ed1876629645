package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.ReplayToken;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Across draws, loaded words of inputs take every value that matters to the lanes. */
class InputDrawsTest {
  private static CheckReport explored(Form form, Strategy strategy) {
    return explored(form, strategy, 1);
  }

  private static CheckReport explored(Form form, Strategy strategy, int launches) {
    Topology topology = Topology.parse("1x2");
    Program program = Program.bind(form, topology.world(), Map.of());
    return new Checker(strategy, Budget.DEFAULT, 1, Checker.strict(Profile.L2, launches))
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
                          | check a < 9223372036854775808 else 1
                          | check a != 18446744073709551615 else 1
                          | check a != -2 else 1
                          | check a != 1 << 63 else 1
                          | check b != 0x7fffffffffffffff else 1
           width 4        | check a != 0xffffffff else 1
           width 2        | check a < 65535 else 1
          """)
  void aValueThatTheTextComparesIsDrawn(String bound, String wrong) {
    Form form = form(bound == null ? "" : " " + bound, wrong);
    CheckReport report = explored(form, Strategy.PORTFOLIO);
    Violation violation = report.verdict().violation().orElseThrow();
    assertThat(violation.kind()).isEqualTo("check");
    assertThat(report.verdict().strategy()).contains("inputs=");
    assertReplays(report, form);
  }

  @ParameterizedTest
  @EnumSource(names = {"PORTFOLIO", "SYNCHRONISATION", "FULL", "RANDOM", "FIFO"})
  void aValueBeyondTheBoundIsNotDrawn(Strategy strategy) {
    CheckReport report = explored(form(" <= 20 else 7", "check a <= 20 else 1"), strategy);
    assertThat(report.verdict().violation()).isEmpty();
    assertThat(report.verdict().strategy()).containsPattern(", inputs=\\d\\d+ draws");
    assertThat(report.verdict().executions()).isGreaterThan(21);
  }

  static Stream<Arguments> sequences() {
    return IntStream.of(2, 3)
        .boxed()
        .flatMap(values ->
            IntStream.range(0, values * values * values)
                .mapToObj(i ->
                    Arguments.of(
                        values, List.of(i / values / values, i / values % values, i % values))));
  }

  /** In three launches a word has every sequence of its few values, also beside another word. */
  @ParameterizedTest
  @MethodSource("sequences")
  void everySequenceOfFewValuesIsDrawn(int values, List<Integer> sequence) {
    for (String other : List.of("", "input size[8]")) {
      Form form =
          FormParser.parse(
              """
              form sequence
              uniform mode[8]
              %s
              lane main: host {
                state seen
                %s
                load word <- mode[0] <= %d else 1
                set seen = seen * 4 + word + 1
                check seen != %d else 2
              }
              """
                  .formatted(
                      other,
                      other.isEmpty() ? "" : "load s <- size[0]",
                      values - 1,
                      sequence.stream().reduce(0, (a, b) -> a * 4 + b + 1)));
      CheckReport report = explored(form, Strategy.SYNCHRONISATION, 3);
      assertThat(report.verdict().violation().orElseThrow().kind()).isEqualTo("check");
      assertReplays(report, form);
    }
  }

  /** What is left out is counted: here, sequences of values in more launches than draws reach. */
  @Test
  void drawsThatAreLeftAreCounted() {
    Form form = form(" <= 62 else 7", "check a < 100 else 1");
    assertThat(explored(form, Strategy.SYNCHRONISATION, 1).drawsLeft()).isZero();
    assertThat(explored(form, Strategy.SYNCHRONISATION, 3).drawsLeft()).isPositive();
  }

  /** A word that a lane loads and sends on, and for which another one waits. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          deadlock | atomic win@p[0] set v: wait win[0] != 77777 acquire
          overwrite | atomic win@p[0] set v: wait win[0] < -9 acquire
          deadlock | signal S[0]@p set v + 1 release: await S[0]@p != 77778 acquire
          check | atomic own[0] <- win@p[0] cas 77777, v: quiet: load x <- own[0]: check x != v else 3
          """)
  void aWordForWhichALaneWaitsIsDrawn(String kind, String way) {
    Form form =
        FormParser.parse(
            """
            form sent
            input in[8]
            scratch win[8]
            scratch own[8]
            signal S[1]
            barrier done
            lane main: sm(32) {
              let p = 1 - r
              load v <- in[0]
              store win[0] <- 77777 relaxed
              signal S[0]@p set 77778 release
              barrier done
              %s
              barrier done
            }
            """
                .formatted(way.replace(": ", "\n")));
    CheckReport report = explored(form, Strategy.SYNCHRONISATION);
    assertThat(report.verdict().violation().orElseThrow().kind()).isEqualTo(kind);
    assertReplays(report, form);
  }

  /** Ways by which a word of an input decides without a load from the input. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          check    | 1x2 | move win@((r + 1) % n)[0] <- in[0] bytes 8: barrier B: load x <- win[0]
          check    | 1x2 | move box[0] <- in[0] bytes 8: sync: move win[0] <- box[0] bytes 8: sync: load x <- win[0]
          check    | 1x2 | put win@r[0] <- in[0] bytes 8: quiet: load x <- win[0]
          check    | 2x1 | move box[0] <- in[0] bytes 8: barrier B: get win[0] <- box@((r + 1) % n)[0] bytes 8: load x <- win[0]
          check    | 2x1 | move box[0] <- in[0] bytes 8: barrier B: atomic win[0] <- box@((r + 1) % n)[0] fetch: load x <- win[0]
          deadlock | 1x2 | move win[0] <- in[0] bytes 8: sync: wait win[0] != 4711 acquire: let x = 0
          check    | 1x2 | move win[0] <- in[0] bytes 8: sync: atomic box[0] <- win@r[0] cas 4711, 3: quiet: load y <- box[0]: load z <- win[0]: let x = 4711 - y + z * 0
          race     | 1x2 | move box@((r + 1) % n)[0] <- in[0] bytes 8: barrier B: move win[0] <- box[0] bytes 8: barrier B: move box@((r + 1) % n)[0] pkt8(epoch) <- in[0] bytes 4: move win[0] <- box[0] pkt8(epoch) bytes 4: let x = 0
          """)
  void aWordThatWasMovedIsDrawnAsWell(String kind, String world, String way) {
    Form form =
        FormParser.parse(
            """
            form passed
            input in[8]
            scratch box[32]
            scratch win[32]
            scratch done[8]
            barrier B
            lane main: sm(32) {
              %s
              if x == 4711 { store done[0] <- 5 }
              sync
              load d <- done[0]
              check d != 5 else 1
              barrier B
            }
            """
                .formatted(way.replace(": ", "\n")));
    Topology topology = Topology.parse(world);
    CheckReport report =
        new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
            .drawing()
            .explore(Program.bind(form, topology.world(), Map.of()), topology);
    Violation violation = report.verdict().violation().orElseThrow();
    assertThat(violation.kind()).isEqualTo(kind);
    assertReplays(report, form);
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

  private static void assertReplays(CheckReport report, Form form) {
    ReplayToken token = report.found().orElseThrow().token().orElseThrow();
    assertThat(
            TokenReplay.play(ReplayToken.parse(token.toString()), form)
                .finding()
                .orElseThrow()
                .message())
        .isEqualTo(report.verdict().violation().orElseThrow().message());
  }
}
