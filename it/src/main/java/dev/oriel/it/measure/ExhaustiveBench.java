package dev.oriel.it.measure;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.tuning.WorldParams;
import dev.oriel.it.options.ProgramTexts;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ExhaustiveWorkload;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The number of different states that a search of every order of every step visits in a second,
 * with every check on, on one thread; and the memory that it takes for each state.
 */
final class ExhaustiveBench {
  private final CommandSpec spec;
  private final PrintWriter out;
  private final int runs;

  ExhaustiveBench(CommandSpec spec, PrintWriter out, int runs) {
    this.spec = spec;
    this.out = out;
    this.runs = runs;
  }

  void measure(long states) {
    out.printf(
        "states   profile=L2, full, launches=1, threads=1, at most %d states; a second of the processor's%n",
        states);
    measure("ring", "1x4", 8, states);
    measure("ring", "1x5", 8, states);
    measure("ring", "4x1", 8, states);
    measure("bruck-allgather", "1x4", 8, states);
    measure("ring-allreduce", "1x4", 16, states);
  }

  private void measure(String name, String shape, long bytes, long states) {
    Topology topology = Topology.parse(shape);
    Form form = ProgramTexts.shipped(spec, name);
    Map<String, Long> params = new TreeMap<>(Map.of("B", bytes));
    form.params()
        .forEach(p -> WorldParams.value(p, topology).ifPresent(v -> params.put(p.name(), v)));
    Program program = Program.bind(form, topology.world(), params);
    for (int i = 0; i < runs; i++) {
      Run run = run(program, topology, states);
      ExhaustiveWorkload.Work work = run.work();
      ResourceMeter.Reading reading = run.reading();
      // The same search, stopped half way: what lies between is the later half.
      Run half = run(program, topology, Math.max(1, work.states() / 2));
      long later = work.states() - half.work().states();
      out.printf(
          Locale.ROOT,
          "case     %s:%s:%d %s: states_per_s=%.0f, steps_per_s=%.2fM, states=%d%s, bytes_a_state: stack=%.0f, visited=%.1f, allocated=%.0f, of it in the later half beside the table=%.1f; shared_mb=%.1f, wall_s=%.3f, cpu_s=%.3f%n",
          name,
          shape,
          bytes,
          i == 0 ? "first" : "next",
          work.states() / reading.cpuSeconds(),
          work.steps() / reading.cpuSeconds() / 1e6,
          work.states(),
          work.complete() ? "" : " (not all)",
          work.stackBytes(),
          work.visitedBytes(),
          (double) reading.allocated() / work.states(),
          (double) (run.besideTable() - half.besideTable()) / Math.max(1, later),
          work.sharedBytes() / 1e6,
          reading.wallSeconds(),
          reading.cpuSeconds());
    }
  }

  /** Each run has its own machine, so that no run finds what another one kept. */
  private static Run run(Program program, Topology topology, long states) {
    ExhaustiveWorkload workload =
        new ExhaustiveWorkload(program, topology, Checker.strict(Profile.L2, 1));
    ResourceMeter meter = ResourceMeter.start();
    ExhaustiveWorkload.Work work = workload.run(states);
    return new Run(work, meter.read());
  }

  private record Run(ExhaustiveWorkload.Work work, ResourceMeter.Reading reading) {
    /** Bytes that were allocated for anything but the table of visited states. */
    long besideTable() {
      return reading.allocated() - work.visitedMade();
    }
  }
}
