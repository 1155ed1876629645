package dev.oriel.it.measure;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ThroughputWorkload;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The number of different random executions of small programs per second, with every check on, on
 * one thread.
 */
final class SearchBench {
  private static final long SEED = 1;

  private final PrintWriter out;
  private final int runs;

  SearchBench(PrintWriter out, int runs) {
    this.out = out;
    this.runs = runs;
  }

  void measure(int executions) {
    out.printf(
        "search   profile=L2, random, launches=1, threads=1, seed=%d; in code that ran before: the first"
            + " executions, and further ones; a second of the processor's%n",
        SEED);
    measure("message_passing", "1x2", executions);
    measure("message_passing", "2x1", executions);
    measure("ring", "1x4", executions);
    measure("ring", "4x1", executions);
  }

  private void measure(String name, String shape, int executions) {
    Topology topology = Topology.parse(shape);
    Program program = Program.bind(FormParser.parse(text(name)), topology.world(), Map.of());
    // Warms up the JVM; the states that this run recorded are discarded with it.
    throughput(program, topology).run(executions);
    ThroughputWorkload throughput = throughput(program, topology);
    line("first", name, shape, throughput, executions);
    for (int i = 1; i < runs; i++) {
      line("next", name, shape, throughput, executions);
    }
  }

  private static ThroughputWorkload throughput(Program program, Topology topology) {
    return new ThroughputWorkload(program, topology, Checker.strict(Profile.L2, 1), SEED);
  }

  private void line(
      String which, String name, String shape, ThroughputWorkload throughput, int executions) {
    long recalled = throughput.recalled();
    ResourceMeter meter = ResourceMeter.start();
    throughput.run(executions);
    ResourceMeter.Reading reading = meter.read();
    long transitions = throughput.transitions();
    out.printf(
        Locale.ROOT,
        "case     %s:%s %s: executions_per_s=%.0f, transitions_per_s=%.2fM, transitions=%d an execution, recalled=%.1f%%, wall_s=%.3f, cpu_s=%.3f%n",
        name,
        shape,
        which,
        executions / reading.cpuSeconds(),
        transitions / reading.cpuSeconds() / 1e6,
        transitions / executions,
        100.0 * (throughput.recalled() - recalled) / transitions,
        reading.wallSeconds(),
        reading.cpuSeconds());
  }

  private static String text(String name) {
    try (InputStream in = SearchBench.class.getResourceAsStream("/bench/" + name + ".oriel")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
