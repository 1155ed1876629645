package dev.oriel.it.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command prints with workers what it prints without. */
@Timeout(120)
class OnCommandTest {
  private static final String[] CHECK = {
    "check", "barrier", "--world", "1x3", "--launches", "1", "--strategy", "full"
  };

  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... more) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = Stream.concat(Arrays.stream(CHECK), Arrays.stream(more)).toArray(String[]::new);
    return Main.run(all, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void theVerdictIsThatOfOneCore() {
    assertThat(oriel()).isEqualTo(ExitCodes.FINE);
    String one = out.toString();
    String folder = temp.resolve("kept").toString();
    assertThat(oriel("--on", "local[2]", "--keep", folder))
        .as(err.toString())
        .isEqualTo(ExitCodes.FINE);
    assertThat(out.toString().replace(" --on 'local[2]'", "").replace(" --keep " + folder, ""))
        .isEqualTo(one);
    assertThat(Files.exists(Path.of(folder, "search.txt"))).isTrue();
  }

  @Test
  void unknownWorkersAreRefused() {
    assertThat(oriel("--on", "yarn")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains("unknown workers: option=--on, workers=yarn; write local[*]");
    assertThat(oriel("--on", "spark://127.0.0.1:1")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("give --keep a folder that all of them share");
  }
}
