package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.ExecutionRecord;
import dev.oriel.sim.machine.settings.Profile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The message of a failed check contains the actual value, the expected value and the place. */
class FailedCheckTest {
  /** The reader does not read the sequence a second time. */
  private static final String SEQLOCK =
      """
      form seqlock
      scratch seq[8]
      scratch a[8]
      scratch b[8]
      lane writer: sm(32) {
        store seq[0] <- 1 release
        store a[0] <- 1 relaxed
        store b[0] <- 1 relaxed
        store seq[0] <- 2 release
      }
      lane reader: sm(32) {
        load s <- seq[0] acquire
        if s % 2 == 0 {
          load x <- a[0] relaxed
          load y <- b[0] relaxed
          check x == y else 3
        }
      }
      """;

  private static final String VALUES =
      """
      form values
      scratch a[8]
      lane main: sm(32) {
        store a[0] <- 5
        for t < 3 {
          CHECK
        }
        let after = 9
      }
      """;

  private static CheckReport report(String text) {
    Program program = Program.bind(FormParser.parse(text), 1, Map.of());
    return new Checker(Strategy.SYNCHRONISATION, Budget.DEFAULT, 1, Checker.strict(Profile.L2, 1))
        .explore(program, Topology.parse("1x1"));
  }

  private static String message(CheckReport report) {
    return report.verdict().violation().orElseThrow().message();
  }

  @Test
  void aBrokenSeqlockNamesBothValuesAndTheCheck() {
    CheckReport report = report(SEQLOCK);
    assertThat(message(report))
        .matches(
            "check failed: rank=0, lane=reader, launch=1, code=3, 'check x == y else 3',"
                + " found=(0, expected='== 1'|1, expected='== 0'); find the write of the value that was tested");
    List<ExecutionRecord.Place> places = report.found().orElseThrow().places();
    assertThat(places).containsExactly(new ExecutionRecord.Place(0, "reader", "reader", 4));
  }

  /** The first condition that fails, in the round in which it fails. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          load x <- a[0] acquire check x == 5 and x < 5 else 7 | found=5, expected='< 5'
          check t < 2 else 7                                   | found=2, expected='< 2'
          load x <- a[0] acquire check x - 6 == 0 else 7       | found=18446744073709551615, expected='== 0'
          load x <- a[0] <= 4 else 7                           | found=5, expected='<= 4'
          """)
  void namesTheActualAndTheExpectedValue(String check, String values) {
    assertThat(message(report(VALUES.replace("CHECK", check))))
        .startsWith("check failed: rank=0, lane=main, launch=1, code=7, '")
        .contains(" else 7', " + values + "; ");
  }
}
