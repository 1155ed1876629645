package dev.oriel.it.mutate;

import dev.oriel.domain.program.Form;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.LaunchesOption;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.MutantTrial;
import dev.oriel.sim.trial.TrialRunner;
import dev.oriel.sim.trial.TrialSetting;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code oriel mutate}: makes every small mistake in a program and reports which strategy finds it.
 */
@Command(
    name = "mutate",
    description = "Make every small mistake in a program, and print which strategy finds which.",
    mixinStandardHelpOptions = true)
public final class MutateCommand implements Callable<Integer> {
  /** Larger sizes cost time and show nothing new. */
  private static final int SMALL = 48;

  /** Launches for exploration of every order. */
  private static final int FULL_LAUNCHES = 2;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--profile",
      defaultValue = "rdma-strict",
      description = "the memory rules of the hardware, as for check (default: ${DEFAULT-VALUE})")
  private String profile = "rdma-strict";

  @Option(
      names = "--executions",
      defaultValue = "100",
      description = "executions of each strategy that draws them (default: ${DEFAULT-VALUE})")
  private int executions;

  @Option(
      names = "--states",
      defaultValue = "100000",
      description =
          "states after which the complete comparison of a survivor stops (default: ${DEFAULT-VALUE})")
  private int states;

  @Mixin private LaunchesOption launches = new LaunchesOption();

  @Option(names = "--seed", defaultValue = "1", description = "(default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(names = "--json", description = "one JSON object instead of a table")
  private boolean json;

  @Mixin private VerboseOption verbose = new VerboseOption();

  @Override
  public Integer call() {
    OptionNumbers.atLeast(spec, "--executions", 1, executions);
    OptionNumbers.atLeast(spec, "--states", 1, states);
    options.preferNetwork();
    Form form = options.form();
    Map<String, Long> params = options.bind(SMALL).params();
    Budget budget = new Budget(executions, 20_000, 50_000, 500_000_000);
    Budget full = new Budget(1, states, 100_000, 1_000_000_000);
    TrialSetting setting =
        new TrialSetting(
            options.topology(),
            params,
            Profile.parse(profile),
            launches.count(),
            FULL_LAUNCHES,
            budget,
            full,
            seed);
    original(setting);
    TrialRunner trials = new TrialRunner(form, setting, System::nanoTime);
    MutateReport report = report(form);
    report.begin(form, setting);
    List<MutantTrial> all = new ArrayList<>();
    for (Mutant mutant : MutantGenerator.of(form)) {
      MutantTrial trial = trials.whole(mutant);
      all.add(trial);
      report.row(trial);
    }
    report.end(new MutateTally(all));
    return all.stream().allMatch(t -> t.killed() || t.equivalent())
        ? ExitCodes.FINE
        : ExitCodes.VIOLATION;
  }

  private MutateReport report(Form form) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      return new MutateJson(out);
    }
    return verbose.on()
        ? new MutateTable(out)
        : new MutateSummary(spec, options.world(), options.source(form));
  }

  /** Mistakes are meaningful only in a correct program. */
  private void original(TrialSetting setting) {
    Checker checker =
        new Checker(
                Strategy.SYNCHRONISATION,
                setting.budget(),
                seed,
                Checker.strict(setting.profile(), launches.count()))
            .drawing();
    Verdict verdict = checker.check(options.bind(SMALL), setting.topology());
    if (!verdict.holds()) {
      throw new MachineException(
          "the program itself is wrong: program=%s, kind=%s; see oriel check"
              .formatted(
                  options.form().name(),
                  verdict.violation().map(Verdict.Violation::kind).orElse("")));
    }
  }
}
