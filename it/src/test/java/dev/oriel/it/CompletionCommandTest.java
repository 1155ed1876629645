package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.options.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts for shells: bash itself executes the one for bash, as at a press of the tab key. */
class CompletionCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @ParameterizedTest
  @CsvSource({"oriel che, check", "oriel check --sar, --sarif", "oriel bench s, sim"})
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "bash is not there")
  void bashCompletesCommandsAndOptions(String line, String completed) throws Exception {
    assertThat(oriel("completion", "bash")).isZero();
    Path script = Files.writeString(folder.resolve("oriel.bash"), out.toString());
    String[] words = line.split(" ", -1);
    String press =
        ". '%s' && COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d && _complete_oriel && echo \"${COMPREPLY[@]}\""
            .formatted(script, line, words.length - 1, line, line.length());
    Process bash =
        new ProcessBuilder("bash", "-c", press)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String answer = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    assertThat(answer.strip().split("\\s+", -1)).contains(completed);
  }

  @Test
  void zshLoadsTheScriptOfBash() {
    assertThat(oriel("completion")).isZero();
    String bash = out.toString();
    out.getBuffer().setLength(0);
    assertThat(oriel("completion", "zsh")).isZero();
    assertThat(out.toString()).startsWith("autoload -Uz compinit bashcompinit").endsWith(bash);
    assertThat(bash).contains("complete -F _complete_oriel -o default oriel");
  }

  @Test
  void anotherShellIsRefused() {
    assertThat(oriel("completion", "csh")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).containsIgnoringCase("csh").containsIgnoringCase("bash, zsh");
  }
}
