package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --vary}: a parameter with another value in each launch. */
class VaryOptionTest {
  /** Two halves of a buffer in turns, with credits. The place of a half depends on the size. */
  private static final String HALVES =
      """
      form halves
      param B <= 64
      input in[B]
      output out[B]
      scratch box[2 * HALF]
      signal FULL[1]
      signal FREE[1]
      ensure out[0] = in@((r - 1) % n)[0] bytes B
      lane main: sm(32) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        let half = epoch & 1
        await FREE[0]@succ reached epoch - 2 acquire
        move box@succ[half * HALF] <- in[0] bytes B
        signal FULL[0]@succ set epoch release
        await FULL[0]@pred reached epoch acquire
        if B > 0 {
          move out[0] <- box[half * HALF] bytes B
          sync
        }
        signal FREE[0]@pred set epoch release
        flush @succ local
      }
      """;

  private static final List<String> VARIED = List.of("--vary", "B=0,8,64");

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private String wrong = "";
  private String right = "";

  @BeforeEach
  void write() throws IOException {
    wrong = file("wrong.oriel", HALVES.replace("HALF", "B"));
    right = file("right.oriel", HALVES.replace("HALF", "64"));
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int oriel(List<String> more, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(Arrays.asList(arguments));
    all.addAll(more);
    return Main.run(
        all.toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(err, true));
  }

  @Test
  void sizesThatDifferBetweenLaunchesAreChecked() {
    for (String world : List.of("1x2", "1x3", "2x1")) {
      assertThat(oriel(List.of(), "check", wrong, "--world", world, "--strict"))
          .as("%s with one size: %s", world, out)
          .isEqualTo(ExitCodes.FINE);
      assertThat(oriel(VARIED, "check", right, "--world", world, "--strict"))
          .as("%s: %s", world, out)
          .isEqualTo(ExitCodes.FINE);
      assertThat(oriel(VARIED, "check", wrong, "--world", world, "--no-shrink"))
          .as("%s: %s", world, out)
          .isEqualTo(ExitCodes.VIOLATION);
    }
  }

  /** The lines of the file, also for operations that the option adds; the whole next command. */
  @Test
  void aFailureNamesTheLinesOfTheTextAndIsReplayed() {
    oriel(VARIED, "check", wrong, "--world", "1x2", "--no-shrink", "--verbose");
    String text = out.toString();
    assertThat(text)
        .contains("line=14, ", ": move box@succ[half * B] <- in[0] bytes B")
        .contains("load B_chosen <- B_of_launch[0] <= 2 else 1, read 2 [line 2]");
    String next = text.lines().filter(line -> line.startsWith("next ")).findFirst().orElseThrow();
    assertThat(next).contains("oriel replay oriel2:").endsWith(" --vary B=0,8,64");
    String token =
        Stream.of(next.split(" ")).filter(word -> word.startsWith("oriel2:")).findFirst().get();
    assertThat(oriel(VARIED, "replay", token, wrong)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(oriel(List.of(), "replay", token, wrong)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("another program");
  }

  /** A block that the launches of size 0 leave out is executed by those of other sizes. */
  @Test
  void aLineIsExecutedIfSomeValueExecutesIt() throws IOException {
    List<String> strict = List.of("--vary", "B=0,8", "--world", "1x2", "--strict");
    assertThat(oriel(strict, "check", right)).as("%s", out).isEqualTo(ExitCodes.FINE);
    String never =
        file(
            "never.oriel",
            HALVES.replace("HALF", "64").replace("  flush", "  if B > 8 { sync }\n    flush"));
    assertThat(oriel(strict, "check", never)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).contains("line 22: not executed for any of these values");
    List<String> all = List.of("--vary", "B=8,64", "--world", "1x2");
    oriel(all, "check", never, "--no-shrink");
    assertThat(out.toString()).doesNotContain("not executed");
  }

  @Test
  void otherCommandsTakeIt() {
    List<String> all = List.of("--vary", "B=0,16,4096");
    assertThat(
            oriel(
                all,
                "run",
                "push-allgather",
                "--machine",
                "sequential",
                "--world",
                "1x4",
                "--launches",
                "20"))
        .as("%s %s", out, err)
        .isEqualTo(ExitCodes.FINE);
    assertThat(oriel(all, "show", "push-allgather", "--as", "text")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString()).contains("uniform B_of_launch[8]");
  }

  @Test
  void theValuesOfAllParametersTogetherAreBounded() {
    List<String> many = new ArrayList<>();
    for (String each : List.of("B=1..8", "C=1..8", "D=1,2")) {
      many.addAll(List.of("--vary", each));
    }
    assertThat(oriel(many, "check", right)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains(
            "too many values together: option=--vary, parameters=3, max=4, values=128, max=64; vary fewer parameters");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          B     | not a parameter and its values: option=--vary, value=B; write NAME=VALUES, such as B=0,17,1000
          B=    | no value: option=--vary, parameter=B, value=; give numbers or ranges such as 0..6,15,16
          B=8   | number of values out of range: parameter=B, values=1, min=2, max=8; give different values
          B=8,x | not a number: option=--vary, parameter=B, value=x; give a whole number, or a size such as 64KiB
          C=1,2 | no such parameter: name=C, program=halves; known: B
          """)
  void wrongValuesAreNamed(String value, String message) {
    assertThat(oriel(List.of("--vary", value), "check", right)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({"--set, B=8", "--bytes, 8"})
  void aVariedParameterHasNoOtherValue(String option, String value) {
    List<String> twice = List.of("--vary", "B=0,8", option, value);
    assertThat(oriel(twice, "check", right)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .contains(
            "parameter set and varied: options=%s and --vary, parameter=B; leave out one"
                .formatted(option));
  }
}
