package dev.oriel.it.options;

import picocli.CommandLine.Option;

/**
 * Whether to print technical constants: the option of commands whose default output is for a
 * person.
 */
public final class VerboseOption {
  @Option(
      names = "--verbose",
      description = "also print digests, constants of the model and everything that was cut short")
  private boolean on;

  public boolean on() {
    return on;
  }
}
