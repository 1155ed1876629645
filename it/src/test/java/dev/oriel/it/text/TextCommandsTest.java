package dev.oriel.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.parse.FormFormatter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.it.Main;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code oriel new} and {@code oriel fmt}. */
class TextCommandsTest {
  private static final String UGLY = "form f -- Its name.\n  lane m:host{sync}\n";
  private static final String FINE = "form f -- Its name.\nlane m: host {\n  sync\n}\n";

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private int piped(String input, String... arguments) {
    Terminal terminal =
        Terminal.of(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), Map.of(), false);
    return Main.run(arguments, terminal, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"double-buffer", "ring", "x2", "my_first.oriel"})
  void aNewProgramIsLaidOutAndHolds(String name) throws IOException {
    assertThat(oriel("new", file(name))).isZero();
    String path = file(name.endsWith(".oriel") ? name : name + ".oriel");
    assertThat(out.toString())
        .isEqualTo("written        %s%nnext           oriel check %s%n".formatted(path, path));
    String text = Files.readString(Path.of(path));
    assertThat(FormParser.parse(text).name()).isEqualTo(name.replace(".oriel", ""));
    assertThat(text).isEqualTo(FormFormatter.format(text)).contains("oriel check " + path);
    assertThat(oriel("check", path, "--strict")).isZero();
    assertThat(out.toString()).contains("verdict        nothing found");
  }

  /** Its comments promise that each of these changes is found. */
  @Test
  void aNewProgramWithOneWordChangedFails() throws IOException {
    assertThat(oriel("new", file("ring"))).isZero();
    String path = file("ring.oriel");
    String text = Files.readString(Path.of(path));
    int changes = 0;
    for (int at = text.indexOf("epoch release");
        at >= 0;
        at = text.indexOf("epoch release", at + 1)) {
      Files.writeString(
          Path.of(path),
          text.substring(0, at) + text.substring(at).replaceFirst("release", "relaxed"));
      assertThat(oriel("check", path)).isEqualTo(ExitCodes.VIOLATION);
      changes++;
    }
    assertThat(changes).isEqualTo(2);
  }

  @Test
  void aFileIsNeverOverwritten() throws IOException {
    String path = write("mine.oriel", "precious");
    assertThat(oriel("new", file("mine"))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("file exists: file=" + path, "choose another name");
    assertThat(Path.of(path)).hasContent("precious");
  }

  @ParameterizedTest
  @CsvSource({
    "2x, 2, not a name of a program: name=2x",
    "a b, 2, 'use letters, digits, _ and -'",
    ".oriel, 2, not a name",
    "nowhere/x, 3, nowhere"
  })
  void aNameThatCannotBeIsRefused(String name, int code, String message) {
    assertThat(oriel("new", file(name))).isEqualTo(code);
    assertThat(err.toString()).contains(message);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void textsAreLaidOutInPlace() throws IOException {
    String ugly = write("ugly.oriel", UGLY);
    String fine = write("fine.oriel", FINE);
    assertThat(oriel("fmt", "--check", ugly, fine)).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).isEqualTo("would change   %s%n".formatted(ugly));
    assertThat(Path.of(ugly)).hasContent(UGLY);
    out.getBuffer().setLength(0);
    assertThat(oriel("fmt", ugly, fine)).isZero();
    assertThat(out.toString()).isEqualTo("changed        %s%n".formatted(ugly));
    assertThat(Files.readString(Path.of(ugly))).isEqualTo(FINE);
    out.getBuffer().setLength(0);
    assertThat(oriel("fmt", "--check", ugly, fine)).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void standardInputIsLaidOutOnStandardOutput() {
    assertThat(piped(UGLY, "fmt", "-")).isZero();
    assertThat(out.toString()).isEqualTo(FINE);
    out.getBuffer().setLength(0);
    assertThat(piped(UGLY, "fmt", "--check", "-")).isEqualTo(ExitCodes.VIOLATION);
    assertThat(out.toString()).isEqualTo("would change   <stdin>%n".formatted());
    out.getBuffer().setLength(0);
    assertThat(piped(FINE, "fmt", "--check", "-")).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aMistakeInOneTextLeavesAllAsTheyAre() throws IOException {
    String ugly = write("ugly.oriel", UGLY);
    String wrong = write("wrong.oriel", "form f\nlane m: host { snyc }\n");
    assertThat(oriel("fmt", ugly, wrong)).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains(wrong + ":2:16: ", "did you mean sync?");
    assertThat(Files.readString(Path.of(ugly))).isEqualTo(UGLY);
  }

  @Test
  void onlyFilesAreLaidOut() throws IOException {
    assertThat(oriel("fmt", "ring-allgather")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("no such file: path=ring-allgather");
    assertThat(oriel("fmt", folder.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("a folder is no program");
    assertThat(oriel("fmt", write("plan.xml", "<algo/>"))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("a plan is no program text");
    assertThat(piped(UGLY, "fmt", "-", file("x"))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString()).contains("give - alone");
  }
}
