package dev.oriel.it.options;

import picocli.CommandLine.Option;

/** Whether technical constants are wanted: the option of commands that speak to a person first. */
public final class Verbose {
  @Option(
      names = "--verbose",
      description = "also print digests, constants of the model and everything that was cut short")
  private boolean on;

  public boolean on() {
    return on;
  }
}
