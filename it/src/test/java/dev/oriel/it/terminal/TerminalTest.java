package dev.oriel.it.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.it.Main;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

class TerminalTest {
  private static final String ESCAPE = "\u001b";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(Terminal terminal, String line) {
    return Main.run(
        line.split(" ", -1), terminal, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private static Terminal terminal(boolean person, String... variables) {
    Map<String, String> environment = new TreeMap<>();
    for (String variable : variables) {
      int at = variable.indexOf('=');
      environment.put(variable.substring(0, at), variable.substring(at + 1));
    }
    return Terminal.of(InputStream.nullInputStream(), environment, person);
  }

  @ParameterizedTest
  @CsvSource({
    "true, TERM=xterm, ON",
    "true, NO_COLOR=, ON",
    "true, NO_COLOR=1, OFF",
    "true, TERM=dumb, OFF",
    "true, CLICOLOR=0, OFF",
    "true, CLICOLOR_FORCE=0 CLICOLOR=0, OFF",
    "false, TERM=xterm, OFF",
    "false, CLICOLOR=1, OFF",
    "false, CLICOLOR_FORCE=1, ON",
    "false, CLICOLOR_FORCE=0, OFF",
    "false, CLICOLOR_FORCE=, OFF",
    "false, CLICOLOR_FORCE=1 NO_COLOR=1, OFF",
    "true, CLICOLOR_FORCE=1 NO_COLOR=1, OFF"
  })
  void aTerminalHasColoursUnlessTheUserForbidsThem(boolean person, String variables, Ansi ansi) {
    assertThat(terminal(person, variables.split(" ", -1)).ansi()).isEqualTo(ansi);
  }

  /** {@code COLUMNS} first, then the terminal if there is one; within the limits of a table. */
  @ParameterizedTest
  @CsvSource({
    "true, COLUMNS=150, 200, 150",
    "true, TERM=xterm, 200, 200",
    "true, TERM=xterm, -1, 120",
    "true, COLUMNS=wide, 90, 90",
    "true, COLUMNS=0, 90, 90",
    "true, COLUMNS=-5, 90, 90",
    "true, COLUMNS=20, 200, 80",
    "true, COLUMNS=99999, 200, 300",
    "false, TERM=xterm, 200, 120",
    "false, COLUMNS=100, 200, 100"
  })
  void aTableIsAsWideAsTheTerminal(boolean person, String variable, int device, int width) {
    String[] nameAndValue = variable.split("=", 2);
    Terminal terminal =
        Terminal.of(
            InputStream.nullInputStream(),
            Map.of(nameAndValue[0], nameAndValue[1]),
            person,
            () -> device < 0 ? OptionalInt.empty() : OptionalInt.of(device));
    assertThat(terminal.width(120)).isEqualTo(width);
  }

  @Test
  void helpHasTheSameWordsWithAndWithoutColours() {
    assertThat(oriel(terminal(true), "check --help")).isZero();
    String coloured = out.toString();
    out.getBuffer().setLength(0);
    assertThat(oriel(terminal(false), "check --help")).isZero();
    assertThat(coloured).contains(ESCAPE);
    assertThat(out.toString()).doesNotContain(ESCAPE).isEqualTo(plain(coloured));
  }

  /** A colour marks the verdict alone; no line is longer or shorter for it. */
  @ParameterizedTest
  @CsvSource({
    "check allgather --world 1x2 --set B=8 --launches 1, verdict        [32mnothing found[0m, 0",
    "check museum:B28 --world 3x1 --profile rdma-multirail, verdict        [31mVIOLATION (race)[0m, 1",
    "run allgather --world 1x2 --set B=8, , 0"
  })
  void aVerdictIsColoured(String line, String verdict, int code) {
    assertThat(oriel(terminal(true), line)).isEqualTo(code);
    String coloured = out.toString();
    out.getBuffer().setLength(0);
    assertThat(oriel(terminal(false), line)).isEqualTo(code);
    assertThat(out.toString()).doesNotContain(ESCAPE).isEqualTo(plain(coloured));
    if (verdict != null) {
      assertThat(coloured.replace(ESCAPE, "").replace("[1;", "[")).contains(verdict);
    }
  }

  /** Everything else goes through unchanged, also what is no whole line. */
  @Test
  void onlyVerdictsAreColoured() {
    try (PrintWriter results = terminal(true).results(new PrintWriter(out))) {
      results.print("verdictless\n verdict  none\nverdict        perhaps\r\nverdict  nothing pro");
      results.print("mised\nrest");
    }
    assertThat(out.toString())
        .isEqualTo(
            "verdictless\n verdict  none\nverdict        \u001b[1;33mperhaps\u001b[0m\r\n"
                + "verdict  \u001b[1;33mnothing promised\u001b[0m\nrest");
  }

  private static String plain(String text) {
    return text.replaceAll("\u001b\\[[0-9;]*m", "");
  }

  private static Terminal input(byte[] text) {
    return Terminal.of(new ByteArrayInputStream(text), Map.of(), false);
  }

  private static Terminal input(String text) {
    return input(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final String SENDS =
      "form f input in[8] output out[8] ensure out[0] = in[0] bytes 8"
          + " lane m: sm(32) { move out[0] <- in[0] bytes 8 }";

  @ParameterizedTest
  @CsvSource({
    "check - --world 1x2, nothing found",
    "prove - --world 1x2, proved",
    "run - --world 1x2, every output byte as promised",
    "sim - --world 1x2, us for a launch",
    "show - --as text, form f",
    "explain -, lane m",
    "mutate - --world 1x2, verdict"
  })
  void standardInputIsAProgram(String line, String message) {
    int code = oriel(input(SENDS), line);
    // A slow machine reports progress.
    assertThat(err.toString().lines().filter(said -> !said.contains("still under way"))).isEmpty();
    assertThat(code).isLessThan(2);
    assertThat(out.toString()).contains(message);
  }

  @Test
  void aTokenReplaysOnStandardInput() {
    String broken = SENDS.replace("move out[0] <- in[0] bytes 8 }", "}");
    assertThat(oriel(input(broken), "check - --world 1x1")).isEqualTo(1);
    String token =
        out.toString().lines().filter(l -> l.startsWith("token")).findFirst().orElseThrow();
    out.getBuffer().setLength(0);
    assertThat(oriel(input(broken), "replay " + token.substring(9) + " -")).isEqualTo(1);
    assertThat(out.toString()).contains("wrong");
  }

  @Test
  void mistakesOfStandardInputHaveItsName() {
    assertThat(oriel(input(SENDS.replace("move", "mvoe")), "check -")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("oriel: <stdin>:1:81: unexpected text: found='mvoe'; did you mean move?");
    err.getBuffer().setLength(0);
    assertThat(oriel(input(SENDS.replace("out[0] <-", "out[4] <-")), "check -")).isEqualTo(2);
    assertThat(err.toString()).startsWith("oriel: <stdin>:1:86: ").contains("out[4]");
    err.getBuffer().setLength(0);
    assertThat(oriel(input("<algo name=\"x\"/>"), "check -")).isEqualTo(2);
    assertThat(err.toString()).contains("<stdin>");
  }

  @Test
  void standardInputIsBounded() {
    byte[] endless = new byte[MscclReader.MOST_TEXT + 1];
    assertThat(oriel(input(endless), "check -")).isEqualTo(2);
    assertThat(err.toString()).contains("program too long: name=<stdin>", "give a shorter one");
    err.getBuffer().setLength(0);
    assertThat(oriel(input(new byte[] {(byte) 0xff}), "check -")).isEqualTo(2);
    assertThat(err.toString())
        .contains("cannot read the program: name=<stdin>, reason=it is no text in UTF-8");
    err.getBuffer().setLength(0);
    assertThat(oriel(input(""), "check -")).isEqualTo(2);
    assertThat(err.toString()).contains("<stdin>:1:1", "expected 'form'");
  }

  @Test
  void processesThatShareStandardInputAreRefused() {
    assertThat(oriel(input(SENDS), "kills - --world 1x2")).isEqualTo(2);
    assertThat(err.toString()).contains("standard input has one reader", "name a file");
  }
}
