package dev.oriel.it.words;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A command to try next, derived from the one that was given. */
public final class NextCommand {
  /**
   * Options that are not repeated: they write files, name parts of the work or set the amount of
   * output.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "--json",
          "--sarif",
          "--junit",
          "--picture",
          "--small",
          "--shard",
          "--campaign",
          "--shrink",
          "--verbose",
          "--matrix",
          "--keep",
          "--proved",
          "--tuning");

  /** The options that determine the program and its binding. */
  private static final Set<String> BINDING =
      Set.of(
          "--world",
          "--bytes",
          "--set",
          "--algorithm",
          "--type",
          "--op",
          "--in-place",
          "--offset",
          "--hook",
          "--hook-output",
          "--vary",
          "--as-written",
          "--graph-replay");

  private final List<String> words = new ArrayList<>();

  private NextCommand(String command) {
    words.add(command);
  }

  /** Another command without options so far. */
  public static NextCommand named(String command) {
    return new NextCommand("oriel " + command);
  }

  /** The same command on the same program with the same options, except those. */
  public static NextCommand same(CommandSpec spec, String... but) {
    NextCommand next = named(spec.name());
    next.positionals(spec).options(spec, null, Set.of(but));
    return next;
  }

  /** The positional parameters of the command that was given. */
  public NextCommand positionals(CommandSpec spec) {
    parsed(spec).matchedPositionals().stream()
        .flatMap(positional -> positional.originalStringValues().stream())
        .map(ShellWords::quoted)
        .forEach(words::add);
    return this;
  }

  /** Another command on the same program, world and parameter values, without those options. */
  public static NextCommand bound(String command, CommandSpec spec, String... but) {
    return named(command).positionals(spec).options(spec, BINDING, Set.of(but));
  }

  /** Adds those of its options. */
  public NextCommand options(CommandSpec spec, String... names) {
    return options(spec, Set.of(names), Set.of());
  }

  private NextCommand options(CommandSpec spec, @Nullable Set<String> only, Set<String> but) {
    // An option that was given twice is matched twice, each time with all of its values.
    for (OptionSpec option : new LinkedHashSet<>(parsed(spec).matchedOptions())) {
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
      words.add(ShellWords.quoted(word));
    }
    return this;
  }

  @Override
  public String toString() {
    return String.join(" ", words);
  }
}
