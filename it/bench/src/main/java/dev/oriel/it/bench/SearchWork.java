package dev.oriel.it.bench;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.ThroughputWorkload;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Executions of the programs of {@code oriel bench sim}, every check on; one call is a hundred. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SearchWork {
  private static final int EXECUTIONS = 100;

  /** A program and its world. */
  @Param({"message_passing:1x2", "message_passing:2x1", "ring:1x4", "ring:4x1"})
  public String program = "";

  private ThroughputWorkload random = throughput("message_passing:1x2");

  /** Reads and binds the program. */
  @Setup
  public void prepare() {
    random = throughput(program);
  }

  /** Any enabled agent next. */
  @Benchmark
  public long random() {
    random.run(EXECUTIONS);
    return random.transitions();
  }

  /** How many transitions one call is. */
  static long transitions(String program) {
    ThroughputWorkload throughput = throughput(program);
    throughput.run(EXECUTIONS);
    return throughput.transitions();
  }

  private static ThroughputWorkload throughput(String named) {
    int colon = named.indexOf(':');
    Topology topology = Topology.parse(named.substring(colon + 1));
    String text = text("/bench/" + named.substring(0, colon) + ".oriel");
    Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
    return new ThroughputWorkload(program, topology, Checker.strict(Profile.L2, 1), 1);
  }

  private static String text(String resource) {
    try (InputStream in = SearchWork.class.getResourceAsStream(resource)) {
      return new String(
          Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
