package dev.oriel.domain.program.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.MistakeList;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.RepositoryTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormFormatterTest {
  static List<Path> texts() {
    return RepositoryTexts.files();
  }

  /**
   * Same digest, same comments, and nothing to do the second time; a text that is no form stays.
   */
  @ParameterizedTest
  @MethodSource("texts")
  void aTextOfTheRepositoryIsTheSameProgram(Path file) throws IOException {
    String text = Files.readString(file);
    if (!RepositoryTexts.parses(text)) {
      assertThatThrownBy(() -> FormFormatter.format(text)).isInstanceOf(ProgramException.class);
      return;
    }
    String formatted = FormFormatter.format(text);
    assertThat(FormParser.parse(formatted)).isEqualTo(FormParser.parse(text));
    assertThat(FormParser.parse(formatted).digest()).isEqualTo(FormParser.parse(text).digest());
    assertThat(comments(formatted)).isEqualTo(comments(text));
    assertThat(FormFormatter.format(formatted)).isEqualTo(formatted);
    assertThat(formatted).doesNotContain("\t", " \n", "\n\n\n").endsWith("\n");
    String printed = FormPrinter.print(FormParser.parse(text));
    assertThat(FormFormatter.format(printed)).isEqualTo(printed);
  }

  private static List<String> comments(String text) {
    return FormLexer.commented(text, new MistakeList(m -> m)).stream()
        .filter(token -> token.kind() == FormToken.Kind.COMMENT)
        .map(FormToken::text)
        .toList();
  }

  @Test
  void aTextIsIndentedAndSpaced() {
    assertThat(
            FormFormatter.format(
                """


                -- What this is.
                form   ring-x param B<=4KiB input in [ B ]
                output out[2*B]   -- Two of them:
                                  -- one after the other.


                ensure each p in all:out[p*B]=in@p[ 0 ]bytes min( B,1 )
                -- The only lane.
                lane m(i<2):sm( 32 ){ state s step 8 for a<4{ if r==-1 and n>= 2 {sync}
                else { flush@(r+1)%n local } }

                -- It ends.
                  move out@((r+1)%n)[0]
                -- Read at last.
                <-in[0] bytes 8 -- Eight.
                }
                """
                    .replace("flush@(r+1)%n", "flush@((r+1)%n)")
                    .replace("\n", "\r\n")))
        .isEqualTo(
            """
            -- What this is.
            form ring-x
            param B <= 4KiB
            input in[B]
            output out[2 * B] -- Two of them:
                              -- one after the other.

            ensure each p in all: out[p * B] = in@p[0] bytes min(B, 1)
            -- The only lane.
            lane m(i < 2): sm(32) {
              state s step 8
              for a < 4 {
                if r == -1 and n >= 2 {
                  sync
                } else {
                  flush @((r + 1) % n) local
                }
              }

              -- It ends.
              move out@((r + 1) % n)[0]
                  -- Read at last.
                  <- in[0] bytes 8 -- Eight.
            }
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "check r==0 else 1, check r == 0 else 1",
    "each q in @(r+1) {sync}, each q in @(r + 1) {",
    "store win [0]<--1, store win[0] <- -1",
    "store win[0] <- r- - 1, store win[0] <- r - -1",
    "store win[0] <- epoch-1, store win[0] <- epoch - 1",
    "'signal S[0]@peers add-1 release', signal S[0]@peers add -1 release"
  })
  void signsAreSpacedByTheirMeaning(String operation, String formatted) {
    String text = "form f window win[64] signal S[1] lane m: host { %s\n}".formatted(operation);
    String laidOut = FormFormatter.format(text);
    assertThat(FormParser.parse(laidOut)).isEqualTo(FormParser.parse(text));
    assertThat(laidOut).contains("\n  " + formatted + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"lane-form", "form", "form-form", "x-2-lane"})
  void aFormMayHaveTheNameOfAWord(String name) {
    assertThat(FormFormatter.format("form " + name + " lane m: host {}"))
        .isEqualTo("form " + name + "\nlane m: host {\n}\n");
  }

  @Test
  void aTextWithMistakesIsRefused() {
    assertThatThrownBy(() -> FormFormatter.format("form f\nlane m: host { snyc }"))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("snyc");
  }

  @Test
  void aLayoutThatIsTooLongIsRefused() {
    StringBuilder deep = new StringBuilder("form f lane m: host {");
    deep.append("if r == 0 {".repeat(30)).append("sync ".repeat(9_000)).append("}".repeat(31));
    deep.append(" lane o: host {");
    deep.append("if r == 0 {".repeat(30)).append("sync ".repeat(9_000)).append("}".repeat(31));
    assertThatThrownBy(() -> FormFormatter.format(deep.toString()))
        .isInstanceOf(ProgramException.class)
        .hasMessageContaining("formatted text too long", "max=1048576");
  }
}
