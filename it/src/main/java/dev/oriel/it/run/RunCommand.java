package dev.oriel.it.run;

import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.MachineOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ProgramOptions;
import dev.oriel.it.options.ProvedOption;
import dev.oriel.it.options.VerboseOption;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel run}: launches a program on a machine, checks every output byte, and times it. */
@Command(
    name = "run",
    description = "Launch a program on fresh random inputs, check every output byte, time it.",
    mixinStandardHelpOptions = true)
public final class RunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Mixin private MachineOptions machine = new MachineOptions();
  @Mixin private ProvedOption proved = new ProvedOption();
  @Mixin private VerboseOption verbose = new VerboseOption();

  @Option(
      names = "--launches",
      defaultValue = "3",
      description = "launches, each checked (default: ${DEFAULT-VALUE})")
  private int launches;

  @Option(
      names = "--graph",
      defaultValue = "0",
      description = "calls recorded into one graph and timed; cuda only (default: none)")
  private int calls;

  @Option(
      names = "--replays",
      defaultValue = "11",
      description = "timed replays of the graph, median printed (default: ${DEFAULT-VALUE})")
  private int replays;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "seed of all that is drawn at random (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--deadline",
      defaultValue = "30",
      description = "seconds that a launch may last (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Override
  public Integer call() {
    OptionNumbers.atLeast(spec, "--launches", 1, launches);
    OptionNumbers.atLeast(spec, "--graph", 0, calls);
    OptionNumbers.atLeast(spec, "--replays", 1, replays);
    OptionNumbers.atLeast(spec, "--deadline", 1, seconds);
    if (calls > 0 && !machine.cuda()) {
      throw new ParameterException(
          spec.commandLine(),
          "no graphs here: option=--graph, machine=%s; use --machine cuda".formatted(machine));
    }
    try (LaunchedProcesses processes =
        LaunchedProcesses.meet(machine, Duration.ofSeconds(seconds))) {
      return run(processes);
    }
  }

  private int run(LaunchedProcesses processes) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter once = processes.once(out);
    Program program = options.fit();
    RunLines lines = new RunLines(spec, once, program, options, machine);
    lines.begin(launches);
    SplittableRandom random = new SplittableRandom(seed);
    try (Executor executor = processes.open(FabricListener.NONE, proved);
        Executor.Instance instance = executor.prepare(program, options.topology())) {
      JudgedConditions conditions = JudgedConditions.NONE;
      for (int launch = 1; launch <= launches; launch++) {
        CheckedLaunch checked = new CheckedLaunch(program, instance, random.split());
        List<String> problems = checked.run(() -> instance.launch(Duration.ofSeconds(seconds)));
        conditions = conditions.and(checked.conditions());
        if (!problems.isEmpty()) {
          // Each process reports its own ranks, which no other process checks.
          new RunLines(spec, out, program, options, machine).violation(launch, problems);
          instance.abort("an output is not as promised: " + problems.getFirst());
          return ExitCodes.VIOLATION;
        }
      }
      lines.checked(launches, conditions);
      if (calls > 0 && instance instanceof CudaInstance cuda) {
        GraphTiming timing =
            GraphTiming.of(program, cuda, calls, replays, random, processes.pace());
        if (!timing.problems().isEmpty()) {
          new RunLines(spec, out, program, options, machine).replayed(timing.problems());
          return ExitCodes.VIOLATION;
        }
        lines.timed(timing, calls, replays);
      }
      lines.end(verbose.on());
    }
    return ExitCodes.FINE;
  }
}
