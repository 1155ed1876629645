package dev.oriel.it;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code oriel check}: explores a program's executions and prints a verdict. */
@Command(
    name = "check",
    description = "Explore a program's executions: every rank, every order a strategy draws.",
    mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
  private static final int TRACE = 12;

  /** Sizes beyond it cost time and show nothing new. */
  private static final int SMALL = 1000;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--strategy",
      defaultValue = "portfolio",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Strategy strategy = Strategy.PORTFOLIO;

  @Option(
      names = "--profile",
      defaultValue = "L2",
      description =
          "what hardware is assumed: L0, L1, L2, L3, nvlink-h200, rdma-strict, rdma-multirail"
              + " (default: ${DEFAULT-VALUE})")
  private String profile = "L2";

  @Option(
      names = "--executions",
      defaultValue = "20",
      description = "how many executions of each strategy that samples (default: ${DEFAULT-VALUE})")
  private int executions;

  @Option(
      names = "--states",
      defaultValue = "1000000",
      description = "where an exhaustive search stops (default: ${DEFAULT-VALUE})")
  private int states;

  @Option(
      names = "--launches",
      defaultValue = "3",
      description = "launches in one execution (default: ${DEFAULT-VALUE})")
  private int launches;

  @Option(names = "--seed", defaultValue = "1", description = "(default: ${DEFAULT-VALUE})")
  private long seed;

  @Override
  public Integer call() {
    Numbers.atLeast(spec, "--launches", 1, launches);
    Numbers.atLeast(spec, "--executions", 1, executions);
    Numbers.atLeast(spec, "--states", 1, states);
    PrintWriter out = spec.commandLine().getOut();
    Program program = options.bind(SMALL);
    Topology topology = options.topology();
    out.printf(
        "program  %s, %d ranks, %s%n", program.form().name(), program.world(), program.params());
    Budget budget = new Budget(executions, states, Budget.DEFAULT.steps(), Budget.DEFAULT.work());
    Checker checker =
        new Checker(strategy, budget, seed, Checker.strict(Profile.parse(profile), launches));
    Verdict verdict = checker.check(program, topology);
    out.printf("digests  program %s, lowered %s%n", verdict.program(), verdict.lowered());
    print(out, verdict);
    return verdict.holds() ? Main.FINE : Main.VIOLATION;
  }

  private static void print(PrintWriter out, Verdict v) {
    out.printf("model    %s%n", v.model());
    out.printf(
        "covered  %s: executions=%d%s, launches=%d%n",
        v.strategy(), v.executions(), v.states() > 0 ? ", states=" + v.states() : "", v.launches());
    v.bounds().forEach(bound -> out.printf("bounded  %s%n", bound));
    v.violation()
        .ifPresentOrElse(
            violation -> {
              out.printf("verdict  VIOLATION (%s)%n", violation.kind());
              out.printf("         %s%n", violation.message());
              List<String> trace = violation.trace();
              int hidden = Math.max(0, trace.size() - TRACE);
              out.printf("trace    %d steps, the last %d:%n", trace.size(), trace.size() - hidden);
              trace
                  .subList(hidden, trace.size())
                  .forEach(line -> out.printf("         %s%n", line));
            },
            () ->
                out.printf(
                    "verdict  nothing found%s%n",
                    v.bounds().isEmpty() ? "" : " within the bounds above"));
  }
}
