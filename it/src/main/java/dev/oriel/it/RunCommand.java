package dev.oriel.it;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.ibverbs.fabric.VerbsSettings;
import dev.oriel.ibverbs.queue.SoftNetwork;
import dev.oriel.ibverbs.run.Company;
import dev.oriel.ibverbs.run.VerbsExecutor;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.sim.sequential.SequentialExecutor;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
final class RunCommand implements Callable<Integer> {

  /** Where to run. */
  enum Machine {
    SEQUENTIAL,
    CUDA,
    IBVERBS
  }

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--machine",
      defaultValue = "sequential",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Machine machine = Machine.SEQUENTIAL;

  /** What carries requests to ranks on other hosts. */
  enum Network {
    /** Nothing: every rank is on NVLink. */
    NONE,
    /** Interfaces in software, to whose queues the GPUs post. */
    SOFT;

    Optional<QueueNetwork> open() {
      return switch (this) {
        case NONE -> Optional.empty();
        case SOFT -> Optional.of(SoftNetwork.usual());
      };
    }
  }

  @Option(
      names = "--network",
      defaultValue = "none",
      description =
          "what carries to ranks on other hosts, of a world all of whose ranks are on this one:"
              + " ${COMPLETION-CANDIDATES}; cuda only (default: ${DEFAULT-VALUE})")
  private Network network = Network.NONE;

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

  @Option(names = "--seed", defaultValue = "1", description = "(default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--deadline",
      defaultValue = "30",
      description = "seconds that a launch may last (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Override
  public Integer call() {
    Numbers.atLeast(spec, "--launches", 1, launches);
    Numbers.atLeast(spec, "--graph", 0, calls);
    Numbers.atLeast(spec, "--replays", 1, replays);
    Numbers.atLeast(spec, "--deadline", 1, seconds);
    if (calls > 0 && machine != Machine.CUDA) {
      throw new ParameterException(
          spec.commandLine(),
          "no graphs here: option=--graph, machine=%s; use --machine cuda"
              .formatted(machine.name().toLowerCase(Locale.ROOT)));
    }
    if (network != Network.NONE && machine != Machine.CUDA) {
      throw new ParameterException(
          spec.commandLine(),
          "no such network here: option=--network, machine=%s; use --machine cuda"
              .formatted(machine.name().toLowerCase(Locale.ROOT)));
    }
    PrintWriter out = spec.commandLine().getOut();
    Program program = options.bind();
    out.printf(
        "program  %s, %d ranks, %s, digest %s%n",
        program.form().name(), program.world(), program.params(), program.digest());
    SplittableRandom random = new SplittableRandom(seed);
    try (Executor executor = executor();
        Executor.Instance instance = executor.prepare(program, options.topology())) {
      for (int launch = 1; launch <= launches; launch++) {
        CheckedLaunch checked = new CheckedLaunch(program, instance, random.split());
        List<String> problems = checked.run(Duration.ofSeconds(seconds));
        if (!problems.isEmpty()) {
          out.printf("verdict  VIOLATION in launch %d%n", launch);
          problems.forEach(p -> out.printf("         %s%n", p));
          return Main.VIOLATION;
        }
      }
      out.printf("checked  launches=%d, every output byte as promised%n", launches);
      if (calls > 0 && instance instanceof CudaInstance cuda) {
        return timed(out, program, cuda, calls, replays, random);
      }
    }
    return Main.FINE;
  }

  private Executor executor() {
    return switch (machine) {
      case SEQUENTIAL -> new SequentialExecutor(FabricListener.NONE, System::nanoTime);
      case CUDA -> CudaExecutor.open(network.open(), FabricListener.NONE, System::nanoTime);
      case IBVERBS ->
          VerbsExecutor.open(
              Company.ALONE, VerbsSettings.USUAL, FabricListener.NONE, System::nanoTime);
    };
  }

  private static int timed(
      PrintWriter out,
      Program program,
      CudaInstance cuda,
      int calls,
      int replays,
      SplittableRandom random) {
    GraphTiming timing = GraphTiming.of(program, cuda, calls, replays, random);
    out.printf(
        Locale.ROOT,
        "timed    us per call: median=%.2f, min=%.2f, max=%.2f; calls=%d, replays=%d%n",
        timing.median(),
        timing.min(),
        timing.max(),
        calls,
        replays);
    timing.problems().forEach(p -> out.printf("         %s%n", p));
    boolean right = timing.problems().isEmpty();
    out.printf("verdict  %s%n", right ? "outputs right after the last replay" : "VIOLATION");
    return right ? Main.FINE : Main.VIOLATION;
  }
}
