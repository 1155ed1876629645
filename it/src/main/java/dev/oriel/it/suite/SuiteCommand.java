package dev.oriel.it.suite;

import dev.oriel.domain.topology.Topology;
import dev.oriel.it.measure.ResourceMeter;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.MachineOptions;
import dev.oriel.it.options.OptionNumbers;
import dev.oriel.it.options.ProvedOption;
import dev.oriel.it.options.WorldsOption;
import dev.oriel.it.run.LaunchedProcesses;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel suite}: tests a machine with all shipped programs. */
@Command(
    name = "suite",
    description =
        "Launch every program of the library on a machine, in many worlds, sizes, types and operators; check every output byte.",
    mixinStandardHelpOptions = true)
public final class SuiteCommand implements Callable<Integer> {
  private static final int MAX_DELAY_NANOS = 50_000;
  private static final int MAX_DRILLED = 1_000_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private MachineOptions machine = new MachineOptions();

  @Mixin private WorldsOption worlds = new WorldsOption();

  @Mixin private ProvedOption proved = new ProvedOption();

  @Option(
      names = "--only",
      paramLabel = "WORD",
      defaultValue = "",
      description = "programs whose name and options contain it")
  private String only = "";

  @Option(
      names = "--listed",
      description =
          "only a list of programs, each in one small size, to be launched very often; see --launches")
  private boolean listed;

  @Option(
      names = "--museum",
      description =
          "run the repaired programs of oriel museum instead, each in its own world and prepared anew for every launch; broken programs are never run")
  private boolean museum;

  @Option(
      names = "--bytes",
      split = ",",
      paramLabel = "B",
      description = "instead of the suite's own sizes")
  private List<Long> bytes = List.of();

  @Option(
      names = "--launches",
      defaultValue = "100",
      description = "of each program, world and size (default: ${DEFAULT-VALUE})")
  private int launches;

  @Option(
      names = "--drilled",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "at least N further launches of each program, replayed from CUDA graphs without the host: GPUs write inputs, poison outputs, pause at random and compare; cuda only (default: none)")
  private int drilled;

  @Option(names = "--seed", defaultValue = "1", description = "(default: ${DEFAULT-VALUE})")
  private long seed;

  @Override
  public Integer call() {
    OptionNumbers.atLeast(spec, "--launches", 1, launches);
    OptionNumbers.atLeast(spec, "--drilled", 0, drilled);
    if (drilled > 0 && !machine.cuda()) {
      throw new ParameterException(
          spec.commandLine(),
          "no graphs here: option=--drilled, machine=%s; use --machine cuda".formatted(machine));
    }
    if (museum && (listed || drilled > 0 || !bytes.isEmpty())) {
      throw new ParameterException(
          spec.commandLine(),
          "twins have sizes and launches of their own: option=--museum; leave out --listed, --drilled and --bytes");
    }
    if (drilled > MAX_DRILLED) {
      throw new ParameterException(
          spec.commandLine(),
          "too many launches for a drill: option=--drilled, value=%d, max=%d; run the suite again with another --seed"
              .formatted(drilled, MAX_DRILLED));
    }
    try (LaunchedProcesses processes = LaunchedProcesses.meet(machine, TIMEOUT)) {
      return run(processes);
    }
  }

  private int run(LaunchedProcesses processes) {
    PrintWriter out = processes.once(spec.commandLine().getOut());
    SplittableRandom random = new SplittableRandom(seed);
    List<Topology> topologies = worlds.topologies();
    List<ProgramSuite.Result> all = new ArrayList<>();
    SplittableRandom skew = new SplittableRandom(random.nextLong() + processes.number());
    try (Executor executor = processes.open(skewed(skew), proved)) {
      if (museum) {
        return new RepairedProgramSuite(executor, machine.networked(), launches, out, faults())
            .run(only, random);
      }
      out.printf(
          "machine  %s; %s; launches=%d of each case, drilled=%d, seed=%d, ranks start up to %d us apart%n",
          executor.name(),
          ResourceMeter.machine(),
          launches,
          drilled,
          seed,
          MAX_DELAY_NANOS / 1000);
      ProgramSuite.Launches each = new ProgramSuite.Launches(launches, drilled);
      ProgramSuite suite = listed ? ProgramSuite.listed(spec) : ProgramSuite.shipped(spec);
      suite.skipped().stream()
          .filter(program -> program.contains(only))
          .forEach(program -> out.printf("left out %s%n", program));
      for (ProgramSuite.Entry entry : suite.entries()) {
        if (entry.name().contains(only)) {
          List<ProgramSuite.Result> results = new ArrayList<>();
          for (Topology topology : topologies) {
            for (long size : bytes.isEmpty() ? entry.sizes() : bytes) {
              results.add(ProgramSuite.run(executor, entry, topology, size, each, random.split()));
            }
          }
          line(out, faults(), entry, results);
          all.addAll(results);
        }
      }
    }
    if (all.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "no such program: only=%s; oriel check --matrix lists them".formatted(only));
    }
    out.printf(
        "suite: cases=%d, launches=%d, wrong=%d, refused=%d%n",
        all.size(), launched(all), wrong(all), refused(all));
    if (refused(all) == all.size()) {
      spec.commandLine()
          .getErr()
          .printf("oriel: every case was refused: cases=%d; the lines above say why%n", all.size());
      return ExitCodes.ENVIRONMENT;
    }
    return wrong(all) == 0 ? ExitCodes.FINE : ExitCodes.VIOLATION;
  }

  /** The output for errors: each process reports those of its own ranks. */
  private PrintWriter faults() {
    return spec.commandLine().getOut();
  }

  /**
   * Starts ranks at different times, because simultaneous starts would hide errors of late ranks.
   */
  private static FabricListener skewed(SplittableRandom random) {
    return new FabricListener() {
      @Override
      public void posted(int rank, String program, long nanos) {
        long until =
            System.nanoTime() + (random.nextBoolean() ? random.nextInt(MAX_DELAY_NANOS) : 0);
        while (System.nanoTime() - until < 0) {
          Thread.onSpinWait();
        }
      }
    };
  }

  private static void line(
      PrintWriter out,
      PrintWriter wrong,
      ProgramSuite.Entry entry,
      List<ProgramSuite.Result> results) {
    out.printf(
        "%-45s cases=%d, launches=%d, wrong=%d, refused=%d%n",
        entry.name(), results.size(), launched(results), wrong(results), refused(results));
    for (ProgramSuite.Result result : results) {
      result
          .problems()
          .forEach(p ->
              wrong.printf(
                  "  wrong: %s, B=%d, launch=%d: %s%n",
                  entry.name(), result.bytes(), result.launches(), p));
    }
    results.stream()
        .map(ProgramSuite.Result::refusal)
        .filter(why -> !why.isEmpty())
        .distinct()
        .forEach(why -> out.printf("  refused: %s%n", why));
    out.flush();
  }

  private static long launched(List<ProgramSuite.Result> results) {
    return results.stream().mapToLong(ProgramSuite.Result::launches).sum();
  }

  private static long wrong(List<ProgramSuite.Result> results) {
    return results.stream().filter(r -> !r.problems().isEmpty()).count();
  }

  private static long refused(List<ProgramSuite.Result> results) {
    return results.stream().filter(r -> !r.refusal().isEmpty()).count();
  }
}
