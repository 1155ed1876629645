package dev.oriel.it;

import dev.oriel.domain.release.ReleaseName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The manual page of a command in the format of {@code man}, from what its help has. */
final class ManPage {
  /** Section of user commands. */
  static final int SECTION = 1;

  private final CommandLine command;
  private final StringBuilder out = new StringBuilder();

  private ManPage(CommandLine command) {
    this.command = command;
  }

  /** The name of its page: {@code oriel-bench-sim}. */
  static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  /** The commands of that one, with those of their own, in the order of the help. */
  static List<CommandLine> all(CommandLine command) {
    List<CommandLine> all = new ArrayList<>(List.of(command));
    command.getSubcommands().values().stream()
        .distinct()
        .filter(inner -> !inner.getCommandSpec().usageMessage().hidden())
        .forEach(inner -> all.addAll(all(inner)));
    return all;
  }

  static String of(CommandLine command) {
    ManPage page = new ManPage(command);
    page.print();
    return page.out.toString();
  }

  private void print() {
    CommandSpec spec = command.getCommandSpec();
    line(
        ".TH \"%s\" \"%d\" \"\" \"%s\" \"Oriel\""
            .formatted(escaped(name(command).toUpperCase(Locale.ROOT)), SECTION, ReleaseName.NAME));
    section("NAME");
    text(name(command) + " - " + described(spec));
    section("SYNOPSIS");
    line(".nf");
    text(new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF)).synopsis(0));
    line(".fi");
    List<ArgSpec> parameters =
        spec.positionalParameters().stream()
            .filter(parameter -> !parameter.hidden())
            .<ArgSpec>map(parameter -> parameter)
            .toList();
    if (!parameters.isEmpty()) {
      section("ARGUMENTS");
      parameters.forEach(parameter -> item(parameter.paramLabel(), words(parameter)));
    }
    List<OptionSpec> options = spec.options().stream().filter(o -> !o.hidden()).toList();
    if (!options.isEmpty()) {
      section("OPTIONS");
      options.forEach(option -> item(names(option), words(option)));
    }
    if (!command.getSubcommands().isEmpty()) {
      section("COMMANDS");
      all(command).stream()
          .skip(1)
          .filter(inner -> command.equals(inner.getParent()))
          .forEach(inner ->
              item("%s(%d)".formatted(name(inner), SECTION), described(inner.getCommandSpec())));
    }
    section("EXIT STATUS");
    spec.root()
        .usageMessage()
        .exitCodeList()
        .forEach((code, meaning) -> item(code.strip(), meaning));
  }

  private static String described(CommandSpec spec) {
    return String.join(" ", spec.usageMessage().description());
  }

  private static String words(ArgSpec argument) {
    return Arrays.stream(argument.description())
        .map(part -> part.replace("%n", " ").replace("%%", "%"))
        .collect(Collectors.joining(" "));
  }

  private static String names(OptionSpec option) {
    String names = String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  private void section(String name) {
    line(".SH " + name);
  }

  private void item(String term, String words) {
    line(".TP");
    line(".B " + escaped(term));
    text(words);
  }

  private void text(String words) {
    words.lines().map(ManPage::escaped).forEach(this::line);
  }

  private void line(String line) {
    out.append(line).append('\n');
  }

  /**
   * A hyphen of an option stays one, other signs than ASCII have names, and no line of text begins
   * with a request.
   */
  private static String escaped(String text) {
    String plain =
        text.replace("\\", "\\e")
            .replace("-", "\\-")
            .codePoints()
            .mapToObj(sign -> sign < 128 ? Character.toString(sign) : "\\[u%04X]".formatted(sign))
            .collect(Collectors.joining());
    return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
  }
}
