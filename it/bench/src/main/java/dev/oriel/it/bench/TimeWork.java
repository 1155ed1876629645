package dev.oriel.it.bench;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.time.LinkText;
import dev.oriel.sim.time.TimeDriver;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A ring all-gather of 1,024 ranks in virtual time; and what of it is only getting ready. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TimeWork {
  private static final String WORLD = "1024x1";

  private final Topology topology = Topology.parse(WORLD);
  private final Program program =
      Program.bind(FormParser.parse(text()), topology.world(), Map.of("B", 8L));

  /** Makes the driver, which is good for one run. */
  @Benchmark
  public TimeDriver prepare() {
    return new TimeDriver(program, topology, LinkText.profile("flat50"), 1, Map.of());
  }

  /** Makes and runs it; the number of events. */
  @Benchmark
  public long prepareAndRun() {
    return prepare().run().events();
  }

  private static String text() {
    try (InputStream in = FormParser.class.getResourceAsStream("/programs/ring_all_gather.oriel")) {
      return new String(
          Objects.requireNonNull(in, "ring_all_gather").readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
