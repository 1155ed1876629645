package dev.oriel.it.kills;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that needs every rank is rejected before any process starts. */
class KillsCommandTest {
  private final StringWriter err = new StringWriter();

  @TempDir Path folder;

  private int run(String... arguments) {
    return Main.run(
        arguments, new PrintWriter(new StringWriter(), true), new PrintWriter(err, true));
  }

  /** The other ranks receive from the fourth one, which is missing in a world of three. */
  @Test
  void aProgramThatNeedsEveryRankIsRejected() throws Exception {
    Path text =
        Files.writeString(
            folder.resolve("fourth.oriel"),
            """
            form fourth
            param B <= 64
            input in[B]
            output out[B]
            ensure out[0] = in@3[0] bytes B
            lane main: sm(128) {
              move out[0] <- in@3[0] bytes B
            }
            """);
    assertThat(run("kills", text.toString(), "--world", "1x4")).isEqualTo(2);
    assertThat(err.toString())
        .contains("survivors cannot run it: program=fourth, ranks=3; ")
        .doesNotContain("did not answer");
  }

  @Test
  void aWorldWithoutSurvivorsIsRejected() {
    assertThat(run("kills", "allgather", "--world", "1x1")).isEqualTo(2);
    assertThat(err.toString()).contains("nobody survives: world=1x1");
  }
}
