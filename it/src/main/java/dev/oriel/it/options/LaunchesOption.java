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

  public int count() {
    return count;
  }

  /** Whether the user gave the number. */
  public boolean given() {
    return spec.commandLine().getParseResult().hasMatchedOption(NAME);
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
