package dev.oriel.domain.program.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one thread of a block may do alone. */
class OneThreadRulesTest {
  private static final String FORM =
      """
      form f
      input a[64]
      output b[64]
      scratch c[64]
      signal D[4]
      lane l: %s {
        thread0 { %s }
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sync                                  | not an operation of one thread
          move b[0] <- a[0] bytes 8             | not an operation of one thread
          load x <- a[0]                        | not an operation of one thread
          let x = 1                             | not an operation of one thread
          quiet                                 | not an operation of one thread
          atomic b[0] <- c@0[0] add 1           | not an operation of one thread
          thread0 { order sys }                 | not an operation of one thread
          if r == 0 { order sys }               | not an operation of one thread
          signal D[0]@peers set 1 release       | one thread names one rank
          await D[0]@all reached 1 acquire      | one thread names one rank
          """)
  void otherOperationsAreRefusedAtTheirPlace(String operation, String what) {
    assertThatThrownBy(() -> FormParser.parse(FORM.formatted("sm(32)", operation)))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining(what + ": line=7, column=13, lane=l; ");
  }

  @ParameterizedTest
  @CsvSource({"host", "copy", "nic(0)"})
  void aLaneOfOneThreadHasNoThreadZero(String engine) {
    String text = FORM.formatted(engine, "signal D[0]@0 set 1 release");
    assertThatThrownBy(() -> FormParser.parse(text))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("lane of one thread: line=7, column=3, lane=l; ");
  }

  @Test
  void wordsOfOneRankAreChangedAndAwaited() {
    String body =
        "signal D[0]@0 set 1 release await D[0]@0 reached 1 acquire wait c[0] == 0 acquire"
            + " store c[0] <- 1 store c[8] <- 1 release order sys atomic c@0[16] add 1";
    var form = FormParser.parse(FORM.formatted("sm(32)", body));
    assertThat(form.lanes().getFirst().body().getFirst())
        .isInstanceOfSatisfying(Op.Leader.class, leader -> assertThat(leader.body()).hasSize(7));
    assertThat(FormParser.parse(FormPrinter.print(form))).isEqualTo(form);
  }
}
