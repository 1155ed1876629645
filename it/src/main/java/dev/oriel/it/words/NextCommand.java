package dev.oriel.it.words;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A command to try next, made of the one that was given. */
public final class NextCommand {
  /** What writes files, names parts of the work or says how much is printed is not repeated. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "--json",
          "--picture",
          "--small",
          "--shard",
          "--shrink",
          "--verbose",
          "--matrix",
          "--keep",
          "--tuning");

  /** The options that say which program is bound to what. */
  private static final Set<String> BINDING =
      Set.of(
          "--world", "--bytes", "--set", "--algorithm", "--type", "--op", "--in-place", "--offset");

  private final List<String> words = new ArrayList<>();

  private NextCommand(String command) {
    words.add(command);
  }

  /** Another command, of which nothing is said yet. */
  public static NextCommand named(String command) {
    return new NextCommand("oriel " + command);
  }

  /** The same command on the same program with the same options, but for that one. */
  public static NextCommand same(CommandSpec spec, String... but) {
    NextCommand next = named(spec.name());
    next.positionals(spec).options(spec, null, Set.of(but));
    return next;
  }

  /** The positional parameters of the command that was given. */
  public NextCommand positionals(CommandSpec spec) {
    parsed(spec).matchedPositionals().stream()
        .flatMap(positional -> positional.originalStringValues().stream())
        .map(NextCommand::quoted)
        .forEach(words::add);
    return this;
  }

  /** Another command on the same program, world and parameter values, but for those options. */
  public static NextCommand bound(String command, CommandSpec spec, String... but) {
    return named(command).positionals(spec).options(spec, BINDING, Set.of(but));
  }

  /** Those of its options. */
  public NextCommand options(CommandSpec spec, String... names) {
    return options(spec, Set.of(names), Set.of());
  }

  private NextCommand options(CommandSpec spec, @Nullable Set<String> only, Set<String> but) {
    for (OptionSpec option : parsed(spec).matchedOptions()) {
      String name = option.longestName();
      boolean taken = only == null ? !LEFT_OUT.contains(name) : only.contains(name);
      if (taken && !but.contains(name)) {
        if (option.arity().max() == 0) {
          words.add(name);
        } else {
          option.originalStringValues().forEach(value -> with(name, value));
        }
      }
    }
    return this;
  }

  private static ParseResult parsed(CommandSpec spec) {
    return spec.commandLine().getParseResult();
  }

  public NextCommand with(String... more) {
    for (String word : more) {
      words.add(quoted(word));
    }
    return this;
  }

  /** As a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./:=,+@%^-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  @Override
  public String toString() {
    return String.join(" ", words);
  }
}
