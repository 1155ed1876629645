package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Places that depend on words of a running lane: parts of a whole, shifts, masks and minima. */
class VariablePartsTest {
  /** 64 bytes; any word t, a part c of k parts, and a shift s of at most 3 bits. */
  static final String FORM =
      """
      form parts
      scratch q[64]
      scratch words[64]
      lane main: sm(32) {
        load t <- words[0]
        load c <- words[8] <= 7 else 1
        load k <- words[16] <= 8 else 1
        load s <- words[24] <= 3 else 1
        if c < k { %s }
      }
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "store q[min(t * 8, 8)] <- 1",
        "store q[min(t << 3, 56)] <- 1",
        "store q[t & 56] <- 1",
        "store q[c * 8 & -8] <- 1",
        "store q[c & -2] width 2 <- 1",
        "store q[c * (64 / k)] width 1 <- 1",
        "store q[64 / k * c] width 1 <- 1",
        "move q[c * (64 / k)] <- words[0] bytes 64 / k",
        "store q[c * (8 / k) * 8] <- 1",
        "move q[64 * c / k] <- words[0] bytes 64 * (c + 1) / k - 64 * c / k",
        "store q[64 * c / k] width 1 <- 1",
        "if t < k { store q[t * (64 / k)] width 1 <- 1 }",
        "store q[4 << s >> 2 << 2] width 4 <- 1",
        "store q[7 << s] width 1 <- 1",
        "store q[4 << s] width 4 <- 1",
        "store q[c << s] width 1 <- 1",
        "store q[63 >> s] width 1 <- 1",
        "store q[t >> 58] width 1 <- 1",
        "store q[c >> t] width 1 <- 1",
        "move q[0] <- words[0] bytes 64 / k"
      })
  void provesPlacesThatAreInside(String operation) {
    assertThatCode(() -> bind(operation)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          store q[min(t, 8)] <- 1                       | word not proved aligned
          store q[min(t * 8, 8) + 4] <- 1               | misaligned word
          store q[t & 49] <- 1                          | word not proved aligned
          store q[t & -8] <- 1                          | region not proved inside its buffer
          store q[(c + 1) * (64 / k)] width 1 <- 1      | region not proved inside its buffer
          move q[c * (64 / k)] <- words[0] bytes 64 / k + 1 | region not proved inside its buffer
          store q[c * (80 / k)] width 1 <- 1            | region not proved inside its buffer
          if t <= k { store q[t * (64 / k)] width 1 <- 1 } | region not proved inside its buffer
          store q[c * ceil(60, k)] width 1 <- 1         | region not proved inside its buffer
          store q[64 * (c + 1) / k] width 1 <- 1        | region not proved inside its buffer
          store q[8 << s] <- 1 store q[16 << s] <- 1    | region not proved inside its buffer
          store q[8 >> s] <- 1                          | word not proved aligned
          store q[1 << t] width 1 <- 1                  | region not proved inside its buffer
          store q[t >> 57] width 1 <- 1                 | region not proved inside its buffer
          store q[t >> s] width 1 <- 1                  | region not proved inside its buffer
          move q[0] <- sum fp64 in fp64 (words[0]) bytes c | length not proved whole elements
          move q[0] <- sum fp64 in fp64 (words[0]) bytes c * 0 + 4 | length is not whole elements
          """)
  void refusesPlacesThatMayBeOutside(String operation, String what) {
    assertThatThrownBy(() -> bind(operation))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith(what + ": ");
  }

  private static Program bind(String operation) {
    return Program.bind(FormParser.parse(FORM.formatted(operation)), 1, Map.of());
  }
}
