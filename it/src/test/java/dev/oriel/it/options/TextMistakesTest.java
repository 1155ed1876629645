package dev.oriel.it.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.check.NameRules;
import dev.oriel.it.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each mistake of a text is printed with its place, its line and a caret. */
class TextMistakesTest {
  private static final Pattern QUOTED = Pattern.compile("`(\\w+)`");

  private static final String HANDSHAKE =
      """
      form handshake
      param B <= 64
      input in[B]
      output out[B]
      signal DATA[1]

      lane main: sm(128) {
        let succ = (r + 1) % n
        let pred = (r - 1) % n
        move out@succ[0] <- in[0] bytes B
        signal DATA[0]@succ set epoch release
        await DATA[0]@pred reached epoch acquire
      }
      """;

  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int oriel(String... arguments) {
    return Main.run(arguments, new PrintWriter(out, true), new PrintWriter(err, true));
  }

  private int check(String text, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("form.oriel"), text);
    List<String> arguments = new ArrayList<>(List.of("check", file.toString()));
    arguments.addAll(Arrays.asList(more));
    return oriel(arguments.toArray(String[]::new));
  }

  /** The messages, with the name of the file in place of its path. */
  private List<String> errors() {
    return err.toString().replace(folder + "/", "").lines().toList();
  }

  @Test
  void wordsOfTheTextArePlaced() throws IOException {
    assertThat(check(HANDSHAKE.replace("release", "releas").replace("  move", "  mvoe")))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(errors())
        .containsExactly(
            "oriel: form.oriel:10:3: unexpected text: found='mvoe'; did you mean move?",
            "    mvoe out@succ[0] <- in[0] bytes B",
            "    ^",
            "oriel: form.oriel:11:33: unexpected text: found='releas'; did you mean release?",
            "    signal DATA[0]@succ set epoch releas",
            "                                  ^");
  }

  @Test
  void namesArePlaced() throws IOException {
    assertThat(check(HANDSHAKE.replace("out@succ", "outt@suc"))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(errors())
        .containsExactly(
            "oriel: form.oriel:10:8: unknown buffer: lane=main, name=outt; did you mean out? known:"
                + " in, out",
            "    move outt@suc[0] <- in[0] bytes B",
            "         ^");
  }

  @Test
  void whatBindingRefusesIsPlaced() throws IOException {
    assertThat(check(HANDSHAKE.replace("out@succ[0]", "out@succ[8]"), "--world", "1x2"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(errors())
        .containsExactly(
            "oriel: form.oriel:10:8: region outside its buffer: rank=0, lane=main,"
                + " buffer=out, owner=1, offset=8, low=8, end=72, size=64; enlarge the buffer, or"
                + " bound offset and length with min or check",
            "    move out@succ[8] <- in[0] bytes B",
            "         ^");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run", "sim", "explain", "mutate"})
  void everyCommandWithAProgramPlacesThem(String command) throws IOException {
    Path file =
        Files.writeString(folder.resolve("form.oriel"), HANDSHAKE.replace("(r + 1) % n", "r + 2"));
    assertThat(oriel(command, file.toString(), "--world", "1x2")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(errors())
        .containsExactly(
            "oriel: form.oriel:10:12: peer is not a rank: rank=0, lane=main, peer=succ, low=2,"
                + " high=2, world=2; take it modulo n, or guard it with if",
            "    move out@succ[0] <- in[0] bytes B",
            "             ^");
  }

  /** The page on the language shows what the program of the first lesson prints with a mistake. */
  @Test
  void theExampleOfTheLanguagePageIsTrue() throws IOException {
    Path docs = Path.of("docs");
    String lesson = Files.readString(docs.resolve("tutorial/1-handshake.md"));
    String opening = "```oriel handshake.oriel\n";
    String rest = lesson.substring(lesson.indexOf(opening) + opening.length());
    String program = rest.substring(0, rest.indexOf("```"));
    Path file =
        Files.writeString(folder.resolve("handshake.oriel"), program.replace("out@", "outt@"));
    assertThat(oriel("check", file.toString())).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(Files.readString(docs.resolve("reference/language.md")))
        .contains(String.join("\n", errors()).indent(4));
  }

  @Test
  void theLanguagePageListsEveryWordThatCannotBeAName() throws IOException {
    String page = Files.readString(Path.of("docs", "reference", "language.md"));
    String rest = page.substring(page.indexOf("## Words of the language"));
    String list = rest.substring(0, rest.indexOf("## Errors"));
    assertThat(QUOTED.matcher(list).results().map(word -> word.group(1)))
        .containsExactlyElementsOf(NameRules.reservedWords());
  }

  @Test
  void anExcerptHasNoControlCharacters() throws IOException {
    assertThat(check("form f\nlane l: sm(32) {\n\tsync \u0007\u001b[31m\n}\n"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(errors())
        .containsExactly(
            "oriel: form.oriel:3:7: unknown character: character='U+0007'; write names, numbers or"
                + " one of {}[]()<>=,:@+-*/%&|^",
            "   sync ??[31m", "        ^");
  }

  @Test
  void moreThanTenMistakesAreCounted() throws IOException {
    check("form f\nlane l: sm(32) {\n" + "  mvoe\n".repeat(14) + "}\n");
    assertThat(errors()).hasSize(31).last().isEqualTo("oriel: 14 mistakes, of which 10 are shown");
  }

  @Test
  void anOperationThatAnOptionChangedIsNamedWithoutAPlace() throws IOException {
    String text = HANDSHAKE.replace("bytes B\n", "bytes B + 1\n");
    assertThat(check(text, "--world", "1x2", "--offset", "out=4")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(errors())
        .containsExactly(
            "oriel: region outside its buffer: rank=0, lane=main, operation=move"
                + " out@succ[4] <- in[0] bytes B + 1, buffer=in, owner=0, offset=0, low=0, end=65,"
                + " size=64; enlarge the buffer, or bound offset and length with min or check");
  }

  @Test
  void refusedCombinationsHaveTheirPlaceInJson() throws IOException {
    String text =
        """
        form three
        signal S[1]
        lane main: sm(32) {
          if r == 0 { signal S[0]@2 set epoch release }
          if r == 2 { await S[0]@0 reached epoch acquire }
        }
        """;
    assertThat(check(text, "--json")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString())
        .contains("{\"column\":27,\"line\":4,\"params\":{},\"reason\":\"peer");
    out.getBuffer().setLength(0);
    assertThat(check(text, "--verbose")).isEqualTo(ExitCodes.FINE);
    assertThat(out.toString().replace(folder + "/", ""))
        .contains("refused  1x2: form.oriel:4:27: peer is not a rank: rank=0, lane=main, peer=2,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          chek allgather                 | unknown command: command=chek; did you mean check?
          check ring_all_gather          | no such program or file: name=ring_all_gather; did you mean ring?
          bench cudda                    | unknown command: command=cudda; did you mean cuda?
          frobnicate                     | unknown command: command=frobnicate; choose one of new, fmt, check, prove, replay, campaign, merge, litmus, sample, mutate, museum, run, suite, kills, sim, tune, calibrate, bench, show, explain, doctor, bundle, export, help, completion, man
          check allgather --wrold 2x1    | unknown option: option=--wrold; did you mean --world?
          check allgather --wrold=2x1    | unknown option: option=--wrold; did you mean --world?
          run allgather --macine cuda    | unknown option: option=--macine; did you mean --machine?
          check allgather ring           | unexpected word: word=ring; leave it out
          check nowhere.oriel            | no such program or file: name=nowhere.oriel; give the path of a file
          check allgahter                | no such program or file: name=allgahter; did you mean allgather?
          check allgather --set b=4      | unknown parameter: name=b, form=ll_all_gather; did you mean B? known: B
          """)
  void misspelledWordsOfACommandAreAskedFor(String line, String message) {
    assertThat(oriel(line.split(" "))).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString().lines()).first().isEqualTo("oriel: " + message);
  }

  @Test
  void anOptionThatIsFarFromAllListsThem() {
    assertThat(oriel("doctor", "--frobnicate", "--helpp")).isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString().lines())
        .contains("oriel: unknown option: option=--helpp; did you mean --help?")
        .anyMatch(
            line -> line.startsWith("oriel: unknown option: option=--frobnicate; choose one of "));
  }

  @Test
  void aMistakeInAHookHasItsPlaceInTheHook() {
    assertThat(oriel("check", "push-allgather", "--hook", "f(in0: f32) -> f32 = maxx(in0, in0)"))
        .isEqualTo(ExitCodes.WRONG_USE);
    assertThat(err.toString())
        .startsWith("oriel: --hook:1:27: unexpected text in a hook: found='maxx'")
        .contains("  hook f(in0: f32) -> f32 = maxx(in0, in0)");
  }
}
