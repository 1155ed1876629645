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

/** Bytes that an offset adds before an output are none that a program has to promise. */
final class PlacedOutputsTest {
  private static final String COPY =
      """
      form copied
      input in[16]
      output out[16]
      ensure out[0] = in[0] bytes LENGTH
      lane main: sm(32) {
        move out[0] <- in[0] bytes 16
      }
      """;

  @TempDir private Path folder;

  private String said = "";

  private int check(String length, String... options) throws IOException {
    Path file = Files.writeString(folder.resolve("copied.oriel"), COPY.replace("LENGTH", length));
    String[] words = new String[options.length + 3];
    words[0] = "check";
    words[1] = file.toString();
    words[2] = "--strict";
    System.arraycopy(options, 0, words, 3, options.length);
    StringWriter out = new StringWriter();
    int exit = Main.run(words, new PrintWriter(out, true), new PrintWriter(out, true));
    said = out.toString().replaceAll("\\s+", " ");
    return exit;
  }

  @Test
  void bytesBeforeAnOffsetNeedNoEnsure() throws IOException {
    assertThat(check("16", "--world", "1x2", "--offset", "out=4")).isEqualTo(ExitCodes.FINE);
    assertThat(said).doesNotContain("not promised");
    assertThat(check("16", "--world", "1x2", "--offset", "8")).isEqualTo(ExitCodes.FINE);
  }

  @Test
  void otherBytesStillDo() throws IOException {
    assertThat(check("12", "--world", "1x2", "--offset", "out=4")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said)
        .contains("not promised 8 of 32 output bytes: bytes 16-19 of out at every rank");
    assertThat(check("12", "--world", "1x2")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(said)
        .contains("not promised 8 of 32 output bytes: bytes 12-15 of out at every rank");
  }
}
