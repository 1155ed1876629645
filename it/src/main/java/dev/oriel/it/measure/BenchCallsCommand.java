package dev.oriel.it.measure;

import dev.oriel.cuda.CudaExecutor;
import dev.oriel.cuda.CudaInstance;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.persistent.ExchangePattern;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.it.run.GraphTiming;
import dev.oriel.it.run.LaunchedProcesses;
import dev.oriel.it.run.ReplayCoordination;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.MachineException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code oriel bench calls}: persistent calls on this host's GPUs, next to launched programs. */
@Command(
    name = "calls",
    description =
        "Time persistent calls over windows on this host's GPUs, replayed and eager, beside the program that pushes alike; every output byte checked.",
    mixinStandardHelpOptions = true)
final class BenchCallsCommand implements Callable<Integer> {
  private static final long SEED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--world",
      defaultValue = "1x2",
      description = "GPUs of this host (default: ${DEFAULT-VALUE})")
  private String world = "1x2";

  @Option(
      names = "--bytes",
      split = ",",
      description = "bytes from each rank to each (default: 8 to 8388608)")
  private List<Integer> sizes = List.of(8, 1024, 16_384, 131_072, 1 << 20, 1 << 23);

  @Option(
      names = "--graph",
      defaultValue = "100",
      description = "calls in a graph (default: ${DEFAULT-VALUE})")
  private int calls;

  @Option(
      names = "--replays",
      defaultValue = "11",
      description = "timed replays, and as many eager calls (default: ${DEFAULT-VALUE})")
  private int replays;

  @Override
  public Integer call() throws InterruptedException {
    OptionNumbers.atLeast(spec, "--graph", 1, calls);
    OptionNumbers.atLeast(spec, "--replays", 1, replays);
    sizes.forEach(bytes -> OptionNumbers.atLeast(spec, "--bytes", 1, bytes));
    LaunchedProcesses.requireAlone("bench calls");
    Topology topology = Topology.parse(world);
    PrintWriter out = spec.commandLine().getOut();
    try (CudaExecutor executor = CudaExecutor.open(FabricListener.NONE, System::nanoTime)) {
      out.printf("machine  %s%n", ResourceMeter.machine());
      executor.inventory().forEach(gpu -> out.printf("gpu      %s%n", gpu));
      out.printf(
          "method   world=%s, one process, graphs of %d calls, %d replays, median in us (min to max), every output byte checked%n",
          world, calls, replays);
      for (ExchangePattern exchange : ExchangePattern.values()) {
        for (int bytes : sizes) {
          CallBench bench = new CallBench(topology.world(), exchange, bytes, calls, replays);
          CallBench.Times times = bench.measure();
          out.printf(
              "%-10s %8d  replayed %s  eager %s  program %s  preparations %d%n",
              exchange.spelling(),
              bytes,
              spread(times.replayed()),
              spread(times.eager()),
              spread(program(executor, topology, exchange, bytes)),
              times.preparations());
          out.flush();
        }
      }
    }
    return ExitCodes.FINE;
  }

  /** The program that moves the same bytes by the same stores, launched from a graph. */
  private List<Double> program(
      CudaExecutor executor, Topology topology, ExchangePattern exchange, long bytes) {
    String name = exchange == ExchangePattern.ALL_GATHER ? "push-allgather" : "push-alltoall";
    Form form = ProgramTexts.shipped(spec, name);
    Program program = Program.bind(form, topology.world(), Map.of("B", bytes));
    try (CudaInstance instance = executor.prepare(program, topology)) {
      GraphTiming timing =
          GraphTiming.of(
              program,
              instance,
              calls,
              replays,
              new SplittableRandom(SEED),
              ReplayCoordination.ALONE);
      if (!timing.problems().isEmpty()) {
        throw new MachineException("wrong output: " + timing.problems().getFirst());
      }
      return timing.micros();
    }
  }

  private static String spread(List<Double> micros) {
    List<Double> sorted = micros.stream().sorted().toList();
    return String.format(
        Locale.ROOT,
        "%.2f (%.2f to %.2f)",
        sorted.get(sorted.size() / 2),
        sorted.getFirst(),
        sorted.getLast());
  }
}
