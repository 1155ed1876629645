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

/** What a check says of lines that it never executed, and of sizes that it cannot search. */
class UncheckedWordsTest {
  private static final String TEN =
      """
      form ten
      input in[8]
      output out[8]
      ensure out[0] = in[0] bytes 8
      lane main: sm(32) {
        if n == 10 {
          move out[0] <- in[0] bytes 4
        } else {
          move out[0] <- in[0] bytes 8
        }
      }
      """;

  private static final String TILES =
      """
      form tiles
      param B <= 1073741824
      let S = 8388608
      input in[B]
      output out[B]
      ensure out[0] = in[0] bytes B
      lane main: sm(32) {
        for t < ceil(B, S) {
          move out[t * S] <- in[t * S] bytes min(S, B - t * S)
        }
      }
      """;

  private static final String NEVER =
      "but not for line 7: not executed for any of these values and worlds";

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();

  private int oriel(String... words) {
    out.getBuffer().setLength(0);
    return Main.run(words, new PrintWriter(out, true), new PrintWriter(out, true));
  }

  private String said() {
    return out.toString().replaceAll("\\s+", " ");
  }

  @Test
  void aLineThatNoCombinationExecutesIsNamed() throws IOException {
    String text = TEN.replace("n == 10", "n == 70");
    String file = Files.writeString(folder.resolve("seventy.oriel"), text).toString();
    assertThat(oriel("check", file)).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains("verdict nothing found, " + NEVER);
    assertThat(oriel("prove", file)).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains("verdict proved for these worlds, " + NEVER);
    assertThat(oriel("check", folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains("bounded ten", "not for line 7", "1 files: 1 bounded");
    assertThat(oriel("check", file, "--json")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).contains("\"unreached\":\"line 7: not executed");
    assertThat(oriel("check", file, "--world", "1x70", "--no-shrink"))
        .isEqualTo(ExitCodes.VIOLATION);
    assertThat(said()).contains("verdict VIOLATION (value)").doesNotContain("not executed");
  }

  @Test
  void strictFailsForALineThatNothingExecutes() throws IOException {
    String text = TEN.replace("n == 10", "n == 70");
    String file = Files.writeString(folder.resolve("seventy.oriel"), text).toString();
    String junit = folder.resolve("seventy.xml").toString();
    assertThat(oriel("check", file, "--strict", "--junit", junit)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said()).contains("verdict VIOLATION (unreached): line 7: not executed");
    assertThat(Files.readString(Path.of(junit))).contains("unreached", "seventy.oriel:7:");
    assertThat(oriel("check", folder.toString(), "--strict")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said()).contains("VIOLATION ten seventy.oriel ten: unreached: line 7");
    assertThat(oriel("check", file, "--strict", "--json")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("\"kind\":\"unreached\"", "\"verdict\":\"violation\"");
  }

  /** A world of ten ranks is not searched, but executed. */
  @Test
  void aLargerWorldInWhichTheTextDecidesSomethingElseIsExecuted() throws IOException {
    String file = Files.writeString(folder.resolve("ten.oriel"), TEN).toString();
    assertThat(oriel("check", file, "--no-shrink")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said()).contains("world 1x10:", "verdict VIOLATION (value)");
    Files.writeString(Path.of(file), TEN.replace("bytes 4", "bytes 2 * 4"));
    assertThat(oriel("check", file, "--strict")).isEqualTo(ExitCodes.FINE);
    assertThat(said())
        .contains(
            "not looked at n=10, 11 (not searched)",
            "nothing found, but not for line 7: only executed once for each of some values");
    assertThat(oriel("prove", file)).isEqualTo(ExitCodes.FINE);
    assertThat(said())
        .contains(
            "verdict proved for these worlds, but not for what was not searched, and not for line 7: only");
    assertThat(oriel("check", folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains("bounded ten", "not for line 7: only executed once");
  }

  @Test
  void sizesThatAreTooLargeAreNamed() throws IOException {
    String file = Files.writeString(folder.resolve("tiles.oriel"), TILES).toString();
    String large = "16777215..16777217 (too large to search)";
    assertThat(oriel("check", file, "--verbose")).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains(large);
    assertThat(oriel("prove", file)).isEqualTo(ExitCodes.FINE);
    assertThat(said())
        .contains("verdict proved for these worlds and sizes, but not for what was not searched");
    assertThat(oriel("check", folder.toString())).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains("bounded tiles", "not searched: B=", large);
  }

  /** With nine ranks, a size is special that is too large even to be executed once. */
  @Test
  void sizesOfLargerWorldsThatAreTooLargeAreNamed() throws IOException {
    String text =
        """
        form big
        param B <= 16777216
        input in[B]
        output out[B]
        ensure out[0] = in[0] bytes B
        lane main: sm(32) {
          move out[0] <- in[0] bytes min(B, 67108864 / n)
        }
        """;
    String file = Files.writeString(folder.resolve("big.oriel"), text).toString();
    assertThat(oriel("check", file)).isEqualTo(ExitCodes.FINE);
    assertThat(said())
        .contains(
            "more combinations of sizes and worlds: B=7456539..7456542 in 1x9, 3x3, 9x1, and");
  }

  /** The first world is none that the text is meant for; a small size is refused, not too large. */
  @Test
  void theMistakeOfAWorldThatIsMeantIsPrinted() throws IOException {
    String text =
        """
        form stolen
        param domain <= 4
        param T <= 5
        require n == domain
        window ctr[8]
        scratch mine[8]
        scratch box[T * 16]
        lane main: sm(32) {
          atomic mine[0] <- ctr@0[0] add 1
          quiet
          for k < T {
            load w <- mine[0]
            store box[w * 16] <- 1
          }
        }
        """;
    String file = Files.writeString(folder.resolve("stolen.oriel"), text).toString();
    assertThat(oriel("check", file)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(said()).contains("stolen.oriel:13:", "region not proved inside its buffer");
    assertThat(oriel("check", file, "--world", "1x2", "--verbose")).isEqualTo(ExitCodes.FINE);
    assertThat(said()).contains("T=1 domain=2").doesNotContain("too large to search");
  }
}
