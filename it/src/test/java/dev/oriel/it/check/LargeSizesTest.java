package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes that the text implies, and that are too large to search, are executed once. */
final class LargeSizesTest {
  private static final String COPY =
      """
      form copied
      param B <= 1099511627776
      input in[B]
      output out[B]
      ensure out[0] = in[0] bytes B
      lane main: sm(32) {
        if B <= LIMIT {
          move out[0] <- in[0] bytes B
        } else {
          move out[0] <- in[0] bytes B - LESS
        }
      }
      """;

  private static final String LOOP =
      """
      form looped
      param T <= 8388608
      input in[8]
      output out[8]
      ensure out[0] = in[0] bytes 8
      lane main: sm(32) {
        for t < T {
          move out[0] <- in[0] bytes min(8, t)
          sync
        }
        if T <= 5000000 {
          move out[0] <- in[0] bytes 8
        } else {
          move out[0] <- in[0] bytes 4
        }
      }
      """;

  @TempDir Path folder;

  private String said = "";

  private int check(String text, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("text.oriel"), text);
    StringWriter out = new StringWriter();
    String[] words = new String[options.length + 3];
    words[0] = "check";
    words[1] = file.toString();
    words[2] = "--no-shrink";
    System.arraycopy(options, 0, words, 3, options.length);
    int exit = Main.run(words, new PrintWriter(out, true), new PrintWriter(out, true));
    said = out.toString().replaceAll("\\s+", " ");
    return exit;
  }

  @Test
  void aSizeBeyondEverySearchIsWrong() throws IOException {
    String wrong = COPY.replace("LIMIT", "3000000").replace("LESS", "1");
    assertThat(check(wrong)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said).contains("copied, B=3000001 of", "VIOLATION (value)");
  }

  @Test
  void whatWasExecutedOnceIsNotCalledTooLarge() throws IOException {
    String right = COPY.replace("LIMIT", "3000000").replace("LESS", "0");
    assertThat(check(right, "--strict")).isEqualTo(ExitCodes.FINE);
    assertThat(said).contains("not for line 10: only executed once").doesNotContain("too large");
  }

  @Test
  void theNextCommandReachesABlock() throws IOException {
    String unknown = COPY.replace("LIMIT", "12000000").replace("LESS", "1");
    assertThat(check(unknown)).isEqualTo(ExitCodes.FINE);
    assertThat(said)
        .contains(
            "B=11999999..12000002 (too large to search)",
            "not for line 10: not executed",
            "--world 1x2 --set B=12000001");
  }

  /** A search of such a size fits no usual machine, so no command is proposed. */
  @Test
  void aBlockThatNoSearchCanReachIsStrictlyAFailure() throws IOException {
    String unknown = COPY.replace("LIMIT", "1073741824").replace("LESS", "1");
    assertThat(check(unknown, "--strict")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said).contains("next give --world and --set values that lead into the lines above");
  }

  /** An execution that a limit of steps ends says nothing of what follows. */
  @Test
  void anExecutionThatWasStoppedDoesNotCount() throws IOException {
    assertThat(check(LOOP)).isEqualTo(ExitCodes.FINE);
    assertThat(said)
        .contains("4999999..5000002 (too large to search)", "not for line 14: not executed");
  }
}
