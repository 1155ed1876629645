package dev.oriel.it.options;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The number of launches of a program in an execution of the simulator. */
public final class LaunchesOption {
  private static final String NAME = "--launches";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  private int count;
  private boolean preferred;

  public int count() {
    return count;
  }

  /** Replaces the default; more launches are then not explored, as if the user gave the number. */
  void prefer(int other) {
    if (!given()) {
      count = other;
      preferred = true;
    }
  }

  /** Whether the user gave the number, or the program brings one. */
  public boolean given() {
    return preferred || spec.commandLine().getParseResult().hasMatchedOption(NAME);
  }

  @Option(
      names = NAME,
      paramLabel = "<launches>",
      defaultValue = "3",
      description = "launches in one execution, one after the other (default: ${DEFAULT-VALUE})")
  void count(int launches) {
    OptionNumbers.atLeast(spec, NAME, 1, launches);
    count = launches;
  }
}
