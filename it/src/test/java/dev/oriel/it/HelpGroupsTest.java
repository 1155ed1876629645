package dev.oriel.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.it.options.ReadTexts;
import dev.oriel.it.terminal.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command: groups of options, and plain words. */
class HelpGroupsTest {
  /** Words of the project's rules of speech that help may not contain. */
  private static final List<Pattern> NOT_PLAIN =
      Stream.of(
              "comes? along",
              "\\bwho\\b",
              "whoever",
              "by itself",
              "\\bbehind\\b",
              "\\btold\\b",
              "stands?\\b")
          .map(Pattern::compile)
          .toList();

  static List<CommandLine> commands() {
    CommandLine root = new CommandLine(new Main());
    root.addMixin(Terminal.NAME, Terminal.none());
    root.addMixin(ReadTexts.NAME, new ReadTexts());
    List<CommandLine> all = new ArrayList<>();
    collect(root, all);
    return all;
  }

  private static void collect(CommandLine command, List<CommandLine> into) {
    into.add(command);
    command.getSubcommands().values().forEach(inner -> collect(inner, into));
  }

  private static String help(CommandLine command) {
    StringWriter out = new StringWriter();
    String line = command.getCommandSpec().qualifiedName(" ").replaceFirst("oriel ?", "");
    List<String> arguments =
        new ArrayList<>(line.isEmpty() ? List.of() : List.of(line.split(" ", -1)));
    arguments.add("--help");
    int code =
        Main.run(
            arguments.toArray(String[]::new),
            new PrintWriter(out, true),
            new PrintWriter(new StringWriter()));
    assertThat(code).isZero();
    return out.toString();
  }

  /** No option is lost or printed twice, however they are grouped. */
  @ParameterizedTest
  @MethodSource("commands")
  void everyOptionIsPrintedOnce(CommandLine command) {
    List<String> lines = help(command).lines().toList();
    for (OptionSpec option : command.getCommandSpec().options()) {
      Pattern begin =
          Pattern.compile(
              "^ {2,6}(-\\w, )?--(\\[no-\\])?" + option.longestName().substring(2) + "\\b(?!-).*");
      long printed = lines.stream().filter(line -> begin.matcher(line).matches()).count();
      assertThat(printed).as(option.longestName()).isEqualTo(option.hidden() ? 0 : 1);
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void wordsArePlain(CommandLine command) {
    String help = help(command).replaceAll("\\s+", " ");
    NOT_PLAIN.forEach(
        word -> assertThat(word.matcher(help).find()).as(word + ": " + help).isFalse());
  }

  @Test
  void manyOptionsHaveHeadings() {
    List<CommandLine> check =
        commands().stream().filter(c -> c.getCommandName().equals("check")).toList();
    assertThat(help(check.getFirst()))
        .containsSubsequence(
            "Options:",
            "The program:",
            "--world",
            "Executions, and what is assumed of them:",
            "--strategy",
            "Results:",
            "--json");
  }
}
