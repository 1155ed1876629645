package dev.oriel.it.measure;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel bench}: measures, and prints the machine with the results. */
@Command(
    name = "bench",
    description = "Measure speed and memory; each figure names its machine.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "WHAT",
    subcommands = {
      BenchSimCommand.class,
      BenchPlanCommand.class,
      BenchCudaCommand.class,
      BenchCallsCommand.class
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "nothing to measure: subjects=sim, plan, cuda, calls; choose one, as in bench sim");
  }
}
