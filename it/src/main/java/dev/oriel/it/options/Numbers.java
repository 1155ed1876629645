package dev.oriel.it.options;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Checks numbers of options that have a least value. */
public final class Numbers {
  private Numbers() {}

  public static void atLeast(CommandSpec spec, String option, long least, long value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(),
          "number out of range: option=%s, value=%d, min=%d; give %d or more"
              .formatted(option, value, least, least));
    }
  }
}
