package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallBindingTest {
  private static final String FORM =
      """
      form f
      input a[64]
      scratch b[64]
      scratch big[256]
      scratch c[64 + 16 * r]
      signal D[4]
      team even = r % 2 == 0
      barrier g
      barrier h of even
      lane l: sm(32) {
        state w
        load x <- a[0] <= 8 else 1
        load y <- a[8] width 1
        load z <- a[16]
        CALL
      }
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          put b@(1)[0] <- a[0] bytes 65             | region outside its buffer
          put b@(1)[8] <- a[0] bytes 57             | region outside its buffer
          put b@(1)[z] <- a[0] bytes 1              | region not proved inside its buffer
          put b@(1)[y] <- a[0] bytes 1              | region not proved inside its buffer
          put b@(1)[0] <- a[0] bytes z              | length may be negative
          put b@x[0] <- a[0] bytes 8                | peer not proved to be a rank
          put b@z[0] <- a[0] bytes 8                | peer not proved to be a rank
          put b@(r)[4] <- b[0] bytes 8              | overlapping regions
          put b@(1)[0] <- a[0] bytes 8 count 5 step 16, 8 | region not proved inside its buffer
          put b@(1)[0] <- a[0] bytes 8 count 4 step 8, 32 | region not proved inside its buffer
          put b@(1)[0] <- a[0] bytes 8 count z step 8, 8  | count without a bound
          put b@(1)[0] <- a[0] bytes 8 count 0 - 1 step 8, 8 | count without a bound
          put b@(n)[0] <- a[0] bytes 8 count 0 step 8, 8 | peer is not a rank
          put b@(1)[0] <- a[0] bytes 8 via 64       | context out of range
          put b@(1)[0] <- a[0] bytes 8 via z        | context out of range
          put b@(1)[0] <- a[0] bytes 8 via 0 - 1    | context out of range
          check w < 4 else 1 quiet via w            | context out of range
          check w < 4 else 1 fence via w            | context out of range
          put b@(1)[0] <- a[0] bytes 8 notify D[4] set 1 | slot outside its row
          check w < 4 else 1 put b@(1)[0] <- a[0] bytes 8 notify D[w] set 1 | slot not proved inside its row
          get b[0] <- c@((r + 1) % n)[56] bytes 9   | region outside its buffer
          get b[60] <- a@(1)[0] bytes 8             | region outside its buffer
          atomic b@(1)[4] add 1                     | misaligned word
          atomic b@(1)[64] add 1                    | region outside its buffer
          atomic b[z] <- b@(1)[0] fetch             | region not proved inside its buffer
          atomic b@(1)[0] add 1 via 64              | context out of range
          wait b[60] == 1 acquire                   | region outside its buffer
          wait b[4] == 1 acquire                    | misaligned word
          wait b[0] == 1 / z acquire                | divisor may be zero
          read s <- D[4]@(1) acquire                | slot outside its row
          read s <- D[0]@z acquire                  | peer not proved to be a rank
          read s <- D[0]@(1) acquire store b[s] <- 1 | region not proved inside its buffer
          load s <- b[4] acquire                    | misaligned word
          load s <- b[0] acquire store big[s] <- 1  | region not proved inside its buffer
          store b[4] <- 1 release                   | misaligned word
          lock b@(1)[4]                             | misaligned word
          unlock b@(1)[64]                          | region outside its buffer
          load s <- a[63] width 2                   | region outside its buffer
          load s <- a[61] width 2                   | misaligned word
          store b[62] width 4 <- 1                  | region outside its buffer
          store b[2] width 4 <- 1                   | misaligned word
          meet h                                    | no member of the barrier's team
          """)
  void rejectsUnsafeCalls(String call, String what) {
    assertThatThrownBy(() -> bind(call))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith(what + ": rank=")
        .hasMessageContaining(", lane=l, operation=");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "put b@((r + 1) % n)[0] <- a[0] bytes 64",
        "put b@(1)[0] <- a[0] bytes 8 count x step 8, 8",
        "put b@(1)[0] <- a[0] bytes 8 count 4 step 16, 16 via x nb",
        "put b@(1)[0] <- a[0] bytes 8 via w % 64",
        "check z < 64 else 1 put b@(1)[z] <- a[0] bytes 1",
        "move big[y] <- a[0] bytes 1",
        "wait b[0] reached 1 acquire",
        "put b@((r + 1) % n)[0] <- a[0] bytes 8 notify D[0] set 1 await D[0]@((r - 1) % n) == 1 acquire",
        "barrier g for t < 9 { meet g }",
        "if r % 2 == 0 { barrier h }",
        "lock b@(0)[0] unlock b@(0)[0]",
        "read s <- D[3]@((r + 1) % n) relaxed",
        "store b[63] width 1 <- z load s <- b[62] width 2"
      })
  void acceptsAccessesWithinBounds(String call) {
    assertThatCode(() -> bind(call)).doesNotThrowAnyException();
  }

  @Test
  void aNotificationGoesToTheRankOfTheBytes() {
    assertThatThrownBy(() ->
            bind(
                "put b@(0)[0] <- a[0] bytes 8 notify D[0] set 1"
                    + " if r == 1 { await D[0]@(0) == 1 acquire }"))
        .hasMessageStartingWith("wait that nothing matches: rank=1");
  }

  @Test
  void aBarrierThatAMemberNeverReachesIsRefused() {
    assertThatThrownBy(() -> bind("if r != 2 { barrier g }"))
        .hasMessageStartingWith(
            "wait that nothing matches: rank=0, lane=l, operation=barrier g, signal=g, sender=2");
  }

  @Test
  void namesTheTeamOfABarrierWithoutTheRank() {
    assertThatThrownBy(() -> bind("barrier h"))
        .hasMessage(
            "no member of the barrier's team: rank=1, lane=l, operation=barrier h, barrier=h;"
                + " guard it with if");
  }

  @Test
  void aTeamHasAValueForEveryRank() {
    assertThatThrownBy(() ->
            Program.bind(
                FormParser.parse("form f team t = 6 / (2 - r) == 3 lane l: host {}"), 3, Map.of()))
        .hasMessageStartingWith("division by zero");
  }

  @Test
  void membershipIsProvenForARankOfALargeWorld() {
    Program program =
        Program.bind(
            FormParser.parse(
                "form f team t = r < 70 barrier g of t lane l: host { if r < 80 { meet g } }"),
            100,
            Map.of());
    assertThat(program.rank(69).rank()).isEqualTo(69);
    assertThatThrownBy(() -> program.rank(70)).hasMessageStartingWith("no member of the barrier");
  }

  private static void bind(String call) {
    Program.bind(FormParser.parse(FORM.replace("CALL", call)), 3, Map.of());
  }
}
