package dev.oriel.it.measure;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.it.options.ExitCodes;
import dev.oriel.it.options.ProgramOptions;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code oriel bench plan}: the cost of preparing a program on ranks of a world. */
@Command(
    name = "plan",
    description =
        "Measure time and memory from a program's text to ranks that could start: bound, lowered, and"
            + " each rank's operands proved.",
    mixinStandardHelpOptions = true)
final class BenchPlanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private ProgramOptions options = new ProgramOptions();

  @Option(
      names = "--ranks",
      paramLabel = "R,…",
      split = ",",
      description = "which ranks (default: the first, the middle one and the last)")
  private List<Integer> ranks = List.of();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("machine  %s%n", ResourceMeter.machine());
    ResourceMeter all = ResourceMeter.start();
    Topology topology = options.topology();
    ranks.forEach(rank -> require(rank, topology.world()));
    print(out, all.read(), "topology");
    ResourceMeter bound = ResourceMeter.start();
    Program program = options.bind(topology, Long.MAX_VALUE);
    LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
    int steps = lowered.lanes().stream().mapToInt(lane -> lane.steps().size()).sum();
    print(
        out,
        bound.read(),
        "%s, %s, steps=%d".formatted(program.form().name(), program.params(), steps));
    for (int rank : ranks.isEmpty() ? ends(program.world()) : ranks) {
      ResourceMeter one = ResourceMeter.start();
      int lanes = program.rank(rank).lanes().size();
      print(out, one.read(), "rank %d of %d, lanes=%d".formatted(rank, program.world(), lanes));
    }
    print(out, all.read(), "all");
    return ExitCodes.FINE;
  }

  private void require(int rank, int world) {
    if (rank < 0 || rank >= world) {
      throw new ParameterException(
          spec.commandLine(),
          "no such rank: option=--ranks, value=%d, world=%d; give 0 to %d"
              .formatted(rank, world, world - 1));
    }
  }

  private static List<Integer> ends(int world) {
    return Stream.of(0, world / 2, world - 1).distinct().toList();
  }

  private static void print(PrintWriter out, ResourceMeter.Reading took, String what) {
    out.printf(
        Locale.ROOT,
        "wall_s=%.3f, cpu_s=%.3f, allocated_mb=%.1f: %s%n",
        took.wallSeconds(),
        took.cpuSeconds(),
        took.allocated() / 1e6,
        what);
  }
}
