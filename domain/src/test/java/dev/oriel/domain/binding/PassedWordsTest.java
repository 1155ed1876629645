package dev.oriel.domain.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether bytes of an input may be read as words, by which way, and how wide the words are. */
final class PassedWordsTest {
  private static Form form(String body) {
    return FormParser.parse(
        """
        form f
        input in[64]
        scratch a[64]
        scratch b[64]
        scratch box[128]
        alias twin of a
        output out[64]
        inout both[64]
        barrier B
        lane main: sm(32) {
        %s
        }
        """
            .formatted(body.replace(": ", "\n")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          8 | move a[0] <- in[0] bytes 8: sync: load x <- a[0]
          2 | move a[0] <- in[0] bytes 8: sync: load x <- a[0] width 2
          8 | move b[0] <- in[0] bytes 8: sync: move a[0] <- b[0] bytes 8: sync: load x <- a[0]
          8 | load x <- a[0]: move a[0] <- b[0] bytes 8: move b[0] <- in[0] bytes 8
          8 | move a[0] <- in[0] bytes 8: wait a[0] != 3 acquire
          8 | move a[0] <- in[0] bytes 8: load x <- a[0] acquire
          8 | move a[0] <- in[0] bytes 8: atomic a@r[0] add 1
          8 | move a[0] <- in[0] bytes 8: lock a@r[0]: unlock a@r[0]
          8 | put a@r[0] <- in[0] bytes 8: quiet: load x <- a[0]
          8 | move a[0] <- in[0] bytes 8: get b[0] <- a@r[0] bytes 8: load x <- b[0]
          8 | bulk a[0] <- in[0] bytes 16: await bulk: load x <- a[0]
          8 | move a[0] <- in[0] bytes 8: order alias: load x <- twin[0]
          8 | move a[0] <- in[0] bytes 8: atomic b[0] <- a@r[0] fetch: load x <- b[0]
          8 | move a[0] <- sum int32 in int32 (in[0], b[0]) bytes 8: sync: load x <- a[0]
          8 | move both[0] <- in[0] bytes 8: sync: load x <- both[0]
          4 | move box[0] <- in[0] bytes 8: sync: move out[0] <- box[0] pkt8(epoch) bytes 4
          4 | move box[0] <- in[0] bytes 8: sync: move box[0] pkt16(epoch) <- b[0] bytes 8
          8 | move box[0] <- in[0] bytes 8: sync: move box[0] line128(epoch) <- b[0] bytes 8
          """)
  void wordsThatAreReadElsewhereAreFound(int width, String body) {
    assertThat(PassedWords.of(form(body))).containsOnlyKeys("in").containsValue(width);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          move out[0] <- in[0] bytes 8
          load x <- in[0]
          load x <- a[0]: store b[0] <- 3
          move b[0] <- in[0] bytes 8: sync: load x <- a[0]
          move box[0] pkt8(epoch) <- in[0] bytes 8: move out[0] <- box[0] pkt8(epoch) bytes 8
          """)
  void whatLanesOnlyMoveIsNot(String body) {
    assertThat(PassedWords.of(form(body))).isEmpty();
  }
}
