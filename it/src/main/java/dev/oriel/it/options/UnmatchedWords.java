package dev.oriel.it.options;

import dev.oriel.domain.naming.NearestName;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.UnmatchedArgumentException;

/** What to say about words of a command line that no command and no option takes. */
public final class UnmatchedWords {
  private UnmatchedWords() {}

  /** One message for each unknown option, or else one for the first word. */
  public static List<String> messages(UnmatchedArgumentException unmatched) {
    CommandSpec spec = unmatched.getCommandLine().getCommandSpec();
    List<String> words = unmatched.getUnmatched();
    List<String> options =
        words.stream()
            .filter(word -> word.startsWith("-"))
            .map(word -> word.split("=", 2)[0])
            .map(option ->
                "unknown option: option=%s; %s"
                    .formatted(option, remedy(option, spec.optionsMap().keySet())))
            .toList();
    if (!options.isEmpty() || words.isEmpty()) {
      return options;
    }
    String first = words.getFirst();
    return List.of(
        spec.subcommands().isEmpty()
            ? "unexpected word: word=%s; leave it out".formatted(first)
            : unknownCommand(first, spec));
  }

  /** The message for a word that is no subcommand of that command. */
  public static String unknownCommand(String word, CommandSpec spec) {
    return "unknown command: command=%s; %s"
        .formatted(word, remedy(word, spec.subcommands().keySet()));
  }

  private static String remedy(String word, Collection<String> known) {
    return NearestName.of(word, known)
        .map(nearest -> "did you mean " + nearest + "?")
        .orElse("choose one of " + String.join(", ", known));
  }
}
