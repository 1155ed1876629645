package dev.oriel.sim.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.FormLowering;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.TimeoutPolicy;
import dev.oriel.sim.search.Endings;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.search.WindowDelta;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three drivers of one transition system. Every result in time order is a result in a window. Every
 * result in a window is one in a wider window. An unbounded window has all results.
 */
class WindowRelationsTest {
  private static final Path SHAPES = Path.of("../domain/src/test/resources/onesided");
  private static final long SEED = Long.getLong("oriel.window.seed", 1);
  private static final int PROGRAMS =
      Integer.getInteger("oriel.window.programs", Thorough.count(24, 120));
  private static final int MAX_STATES = 20_000;
  private static final long MAX_EXECUTIONS = 20_000;
  private static final List<WindowDelta> DELTAS =
      Stream.of("0ns", "300ns", "1us", "4us", "any").map(WindowDelta::parse).toList();
  private static final List<Strategy> SAMPLING =
      List.of(Strategy.RANDOM, Strategy.PCT, Strategy.POS, Strategy.WINDOW);

  private record Small(String text, Simulation simulation) {
    static Small of(String text, String shape, DetectorSet detectors) {
      Topology topology = Topology.parse(shape);
      Program program = Program.bind(FormParser.parse(text), topology.world(), Map.of());
      LoweredForm lowered = FormLowering.lower(program.form(), topology.kinds());
      ExecutionSettings settings =
          new ExecutionSettings(Profile.L2, 1, detectors, TimeoutPolicy.NEVER);
      return new Small(text, new Simulation(program, topology, lowered, settings));
    }

    Endings in(WindowDelta delta) {
      return Endings.windowed(simulation, delta, MAX_STATES, this::memory);
    }

    Endings all() {
      return Endings.systematic(simulation, true, this::memory);
    }

    /** Registers and every byte. */
    String memory(Simulation s) {
      StringBuilder text = new StringBuilder();
      for (int l = 0; l < s.code().lanes().size(); l++) {
        for (int i = 0; i < s.code().lanes().get(l).registers(); i++) {
          text.append(s.register(l, i)).append(' ');
        }
      }
      for (int r = 0; r < s.code().world(); r++) {
        for (int b = 0; b < s.code().form().buffers().size(); b++) {
          long size = s.code().ranks().get(r).bytes(s.code().form().buffers().get(b).name());
          for (int i = 0; i < size; i++) {
            text.append(s.octet(r, b, i) & 0xFF).append(' ');
          }
        }
      }
      return text.toString();
    }
  }

  /**
   * Random programs judged by values alone, which have the most results; then the one-sided shapes.
   */
  private static List<Small> programs(String shape) throws IOException {
    int world = Math.max(shape.charAt(0) - '0', shape.charAt(2) - '0');
    List<Small> programs = new ArrayList<>();
    for (long seed = SEED << 20; programs.size() < PROGRAMS; seed++) {
      try {
        String text = PlainPrograms.text(seed, world, shape.charAt(0) > '1');
        programs.add(Small.of(text, shape, DetectorSet.VALUES));
      } catch (ProgramException refused) {
        // Another is drawn in its place.
      }
    }
    try (Stream<Path> files = Files.list(SHAPES)) {
      for (Path file : files.sorted().toList()) {
        if (Thorough.takes(5, shape, file.getFileName())) {
          programs.add(Small.of(Files.readString(file), shape, DetectorSet.ALL));
        }
      }
    }
    return programs;
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void widerWindowHasAllResultsOfANarrowerOne(String shape) throws IOException {
    int compared = 0;
    int[] fewer = new int[DELTAS.size()];
    int large = 0;
    for (Small small : programs(shape)) {
      List<Endings> ends = new ArrayList<>();
      boolean cut = false;
      for (int i = DELTAS.size() - 1; i >= 0 && !cut; i--) {
        ends.addFirst(small.in(DELTAS.get(i)));
        cut = ends.getFirst().cut;
      }
      if (cut) {
        large++;
        continue;
      }
      compared++;
      Endings all = small.all();
      assertThat(ends.getLast().outcomes).as(small.text).isEqualTo(all.outcomes);
      assertThat(ends.getLast().found).as(small.text).isEqualTo(all.found);
      for (int i = 0; i + 1 < DELTAS.size(); i++) {
        assertThat(ends.get(i + 1).covers(ends.get(i)))
            .as("%s: %s but not %s%n%s", shape, DELTAS.get(i), DELTAS.get(i + 1), small.text)
            .isTrue();
        fewer[i] += ends.get(i).covers(all) ? 0 : 1;
      }
      assertThat(ends.getFirst().covers(time(small))).as(small.text).isTrue();
    }
    StringBuilder narrow = new StringBuilder();
    for (int i = 0; i + 1 < DELTAS.size(); i++) {
      narrow.append(" ").append(DELTAS.get(i)).append('=').append(fewer[i]);
    }
    System.out.printf(
        "%s: seed=%d, programs=%d, left out since a window has more than %d states=%d, do not come to all there is:%s%n",
        shape, SEED, compared, MAX_STATES, large, narrow);
    assertThat(compared).isGreaterThan(PROGRAMS / 2);
    assertThat(fewer[0]).as("a window that leaves nothing out shows nothing").isPositive();
  }

  /** The one execution in time order. */
  private static Endings time(Small small) {
    return Endings.timed(small.simulation, SEED, small::memory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void samplingReachesAllResults(String shape) throws IOException {
    Map<Strategy, Long> most = new EnumMap<>(Strategy.class);
    Map<Strategy, Long> sum = new EnumMap<>(Strategy.class);
    int large = 0;
    int sampled = 0;
    for (Small small : programs(shape)) {
      Endings all = small.all();
      if (all.cut) {
        large++;
        continue;
      }
      sampled++;
      for (Strategy strategy : SAMPLING) {
        long executions =
            Endings.saturate(
                small.simulation,
                strategy,
                WindowDelta.DEFAULT,
                SEED,
                all,
                MAX_EXECUTIONS,
                small::memory);
        assertThat(executions)
            .as("%s %s: more executions than%n%s", shape, strategy, small.text)
            .isLessThanOrEqualTo(MAX_EXECUTIONS);
        most.merge(strategy, executions, Math::max);
        sum.merge(strategy, executions, Long::sum);
      }
    }
    System.out.printf(
        "%s: seed=%d, programs=%d, too large=%d, executions until all was met: most=%s, sum=%s%n",
        shape, SEED, sampled, large, most, sum);
    assertThat(large).isZero();
  }
}
