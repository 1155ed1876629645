package dev.oriel.it;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.explore.Exhaustive;
import dev.oriel.sim.explore.RandomWalk;
import dev.oriel.sim.weak.SynchronisationSearch;
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

  /** Which engine looks, and how. */
  enum Strategy {
    /** Happens-before: every way in which synchronisation can go, then random schedules as well. */
    PORTFOLIO,
    /** Happens-before alone. */
    SYNCHRONISATION,
    /** Steps and arriving stores in random order. */
    RANDOM,
    /** Every state of the step engine. */
    EXHAUSTIVE
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--strategy",
      defaultValue = "portfolio",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Strategy strategy = Strategy.PORTFOLIO;

  @Option(
      names = "--executions",
      defaultValue = "20",
      description =
          "how many random executions, and how many orders of synchronisation at most"
              + " (default: ${DEFAULT-VALUE}, and 1000)")
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
    boolean first = true;
    for (ProgramRunner runner : runners()) {
      Verdict verdict = runner.check(program, topology);
      if (first) {
        out.printf("digests  program %s, lowered %s%n", verdict.program(), verdict.lowered());
      }
      print(out, verdict);
      if (!verdict.holds()) {
        return Main.VIOLATION;
      }
      first = false;
    }
    return Main.FINE;
  }

  private List<ProgramRunner> runners() {
    ProgramRunner synchronisation = new SynchronisationSearch(Math.max(executions, 1000), launches);
    ProgramRunner random = new RandomWalk(seed, executions, launches);
    return switch (strategy) {
      case PORTFOLIO -> List.of(synchronisation, random);
      case SYNCHRONISATION -> List.of(synchronisation);
      case RANDOM -> List.of(random);
      case EXHAUSTIVE -> List.of(new Exhaustive(states, launches));
    };
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
