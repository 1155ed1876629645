package dev.oriel.it.measure;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Parser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Throughput;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** How many random executions of small programs fit into a second, every check on, one thread. */
final class SearchBench {
  private static final long SEED = 1;

  private final PrintWriter out;
  private final int runs;

  SearchBench(PrintWriter out, int runs) {
    this.out = out;
    this.runs = runs;
  }

  void measure(int executions) {
    out.printf("search   profile=L2, random, launches=1, threads=1, executions=%d%n", executions);
    measure("message_passing", "1x2", executions);
    measure("message_passing", "2x1", executions);
    measure("ring", "1x4", executions / 10);
    measure("ring", "4x1", executions / 10);
  }

  private void measure(String name, String shape, int executions) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(Parser.parse(text(name)), topology.world(), Map.of());
    Throughput throughput = new Throughput(program, topology, Checker.strict(Profile.L2, 1), SEED);
    throughput.run(executions);
    Meter.Reading best = null;
    long recalled = throughput.recalled();
    for (int i = 0; i < runs; i++) {
      Meter meter = Meter.start();
      throughput.run(executions);
      Meter.Reading reading = meter.read();
      best = best == null || reading.cpuSeconds() < best.cpuSeconds() ? reading : best;
    }
    Meter.Reading least = Objects.requireNonNull(best, "runs");
    long transitions = runs * throughput.transitions();
    out.printf(
        Locale.ROOT,
        "case     %s:%s: executions_per_s=%.0f, transitions_per_s=%.2fM, transitions=%d an execution, recalled=%.1f%%, wall_s=%.3f, cpu_s=%.3f; best of %d behind one to warm up%n",
        name,
        shape,
        executions / least.wallSeconds(),
        throughput.transitions() / least.wallSeconds() / 1e6,
        throughput.transitions() / executions,
        100.0 * (throughput.recalled() - recalled) / transitions,
        least.wallSeconds(),
        least.cpuSeconds(),
        runs);
  }

  private static String text(String name) {
    try (InputStream in = SearchBench.class.getResourceAsStream("/bench/" + name + ".oriel")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
