package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.Exit;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report names the lines that it speaks of, as they stand in the file. */
class PlacesTest {
  /** Two puts that read alike: only their lines tell them apart. */
  private static final String TWICE =
      """
      form twice
      -- The second may overtake the first.
      scratch mine[8]
      scratch win[8]
      barrier all_in

      lane main: sm(32) {
        barrier all_in
        if r == 0 {
          put win@1[0] <- mine[0] bytes 8
          let again = 1
          put win@1[0] <- mine[0] bytes 8
        }
        barrier all_in
      }
      """;

  /** Right when it runs once: nothing keeps rank 0 from starting over. */
  private static final String OVER =
      """
      form over
      scratch mine[8]
      scratch win[8]
      signal S[1]

      lane main: sm(32) {
        if r == 0 { put win@1[0] <- mine[0] bytes 8 notify S[0] set epoch }
        if r == 1 {
          await S[0]@0 reached epoch acquire
          load x <- win[0]
        }
        quiet
      }
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(String text, String... more) throws IOException {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String file = Files.writeString(folder.resolve("form.oriel"), text).toString();
    String[] arguments = new String[more.length + 4];
    arguments[0] = "check";
    arguments[1] = file;
    arguments[2] = "--strategy";
    arguments[3] = "synchronisation";
    System.arraycopy(more, 0, arguments, 4, more.length);
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void bothLinesOfARaceAreNamed() throws IOException {
    assertThat(check(TWICE)).isEqualTo(Exit.VIOLATION);
    assertThat(out.toString())
        .contains(
            "line=10, rank=0, lane=main: put win@1[0] <- mine[0] bytes 8",
            "line=12, rank=0, lane=main: put win@1[0] <- mine[0] bytes 8");
    assertThat(check(TWICE, "--json", "--no-shrink")).isEqualTo(Exit.VIOLATION);
    assertThat(out.toString()).contains("\"places\"", "\"line\":10", "\"line\":12");
  }

  @Test
  void aRaceOfTwoLaunchesSaysSo() throws IOException {
    assertThat(check(OVER, "--no-shrink")).isEqualTo(Exit.VIOLATION);
    assertThat(out.toString())
        .contains("they are of launches 1 and 2", "line=7, rank=0", "line=10, rank=1");
    assertThat(check(OVER, "--launches", "1")).isEqualTo(Exit.FINE);
    assertThat(check(TWICE, "--no-shrink")).isEqualTo(Exit.VIOLATION);
    assertThat(out.toString()).doesNotContain("they are of launches");
  }

  @Test
  void aWordOfTheLanguageIsNoNameAndIsSaidToBeOne() throws IOException {
    assertThat(check("form f scratch remote[8]")).isEqualTo(Exit.WRONG_USE);
    assertThat(err.toString())
        .contains("found='remote', a word of the language")
        .contains("such as remote_1");
  }
}
