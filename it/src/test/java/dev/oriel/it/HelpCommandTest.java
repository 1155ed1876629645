package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.options.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help is where a user looks for it. */
class HelpCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private String help(String... arguments) {
    assertThat(oriel(arguments)).isZero();
    assertThat(err.toString()).isEmpty();
    String help = out.toString();
    out.getBuffer().setLength(0);
    return help;
  }

  @Test
  void helpIsThatOfTheCommand() {
    assertThat(help("help", "check")).isEqualTo(help("check", "--help")).contains("PROGRAM");
    assertThat(help("help", "bench", "sim")).isEqualTo(help("bench", "sim", "--help"));
    assertThat(help("help")).isEqualTo(help("--help")).contains("check", "museum", "help");
  }

  @ParameterizedTest
  @CsvSource({
    "help chek, did you mean check?",
    "help bench smi, did you mean sim?",
    "help check it, leave it out"
  })
  void aWordThatIsNoCommandIsNamed(String line, String message) {
    assertThat(oriel(line.split(" ", -1))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).startsWith("oriel: ").contains(message);
    assertThat(out.toString()).isEmpty();
  }

  /** What is missing comes first, then the whole help. */
  @ParameterizedTest
  @ValueSource(strings = {"check", "run", "sim", "replay", "merge", "tune", "new", "fmt", ""})
  void aCommandAloneAnswersWithItsHelp(String command) {
    String[] alone = command.isEmpty() ? new String[0] : new String[] {command};
    assertThat(oriel(alone)).isEqualTo(ExitCodes.WRONG_USE);
    List<String> lines = err.toString().lines().toList();
    assertThat(lines.getFirst()).startsWith("oriel: ").doesNotContain("path=;");
    assertThat(lines.get(1)).startsWith("Usage: " + "oriel " + command);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aCommandWithOptionsAnswersInTwoLines() {
    assertThat(oriel("check", "--world", "1x2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString().lines())
        .containsExactly(
            "oriel: no program: give a name, the path of a program text, or - for standard input",
            "Try: oriel check --help");
  }
}
