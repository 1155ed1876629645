package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Single executions of every shipped program, in worlds that no search exhausts: up to 64 ranks in
 * hosts of eight, on one host, and with one host each.
 */
class LargerWorldsTest {
  private static final Budget ONE = new Budget(1, 1, 10_000_000, 1);
  private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

  static List<String> programs() {
    List<String> names = new ArrayList<>(ShippedPrograms.all());
    names.addAll(ShippedPrograms.HOOKED);
    return names;
  }

  static List<String> someOf64() {
    return List.of("ring_all_gather", "signal_barrier", "direct_reduce_scatter");
  }

  private static boolean mapped(String name) {
    return ShippedPrograms.MAPPED.contains(name) || ShippedPrograms.ENGINES.contains(name);
  }

  /** In hosts of eight, or on one host if memory has to be mapped. */
  private static String world(String name, int ranks) {
    return mapped(name) ? "1x" + ranks : ranks / 8 + "x8";
  }

  /** The violation, if any. */
  private static Optional<Verdict.Violation> executed(Form form, String world, Strategy strategy) {
    Topology topology = Topology.parse(world);
    Program program = Program.bind(form, topology.world(), ShippedPrograms.params(form, 4, 1));
    return new Checker(strategy, ONE, 1, Checker.strict(Profile.L2, 2))
        .check(program, topology)
        .violation();
  }

  private static void holds(String name, String world, Strategy strategy) {
    assertThat(executed(ShippedPrograms.form(name), world, strategy)).as(world).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("programs")
  @Sampled(every = 10)
  void sixteenAndTwentyFourRanksHold(String name) {
    holds(name, world(name, 16), Strategy.FIFO);
    holds(name, world(name, 24), Strategy.RANDOM);
  }

  @ParameterizedTest
  @MethodSource("someOf64")
  @Sampled(every = 3)
  void sixtyFourRanksHold(String name) {
    holds(name, world(name, 64), Strategy.RANDOM);
  }

  /** The signal to the successor is too early: its block is still in flight. */
  @Test
  void aRaceOfSixtyFourRanksIsFound() {
    String right = "signal DATA[0]@succ set epoch * n + s release";
    String text = ShippedPrograms.text("ring_all_gather");
    assertThat(text).contains(right);
    Form form = FormParser.parse(text.replace(right, right.replace("release", "relaxed")));
    assertThat(executed(form, "8x8", Strategy.FIFO))
        .hasValueSatisfying(v -> assertThat(v.kind()).isEqualTo("race"));
  }

  /** The same for a program in which each rank writes to every other, and so has a queue for it. */
  @Test
  void aRaceOfThousandsOfAgentsIsFound() {
    String right = "signal DATA[b]@peers set epoch release";
    String text = ShippedPrograms.text("direct_reduce_scatter");
    assertThat(text).contains(right);
    Form form = FormParser.parse(text.replace(right, right.replace("release", "relaxed")));
    assertThat(executed(form, Thorough.count(4, 8) + "x8", Strategy.FIFO))
        .hasValueSatisfying(v -> assertThat(v.kind()).isEqualTo("race"));
  }

  @ParameterizedTest
  @MethodSource("programs")
  @EnabledIfSystemProperty(named = "oriel.kill", matches = "full")
  void sixtyFourRanksHoldInEveryProgram(String name) {
    for (String world : mapped(name) ? List.of("1x64") : List.of("8x8", "1x64", "64x1")) {
      long before = CPU.getCurrentThreadCpuTime();
      holds(name, world, Strategy.FIFO);
      double seconds = (CPU.getCurrentThreadCpuTime() - before) / 1e9;
      System.out.printf(Locale.ROOT, "64 ranks: %s %s: cpu_s=%.2f%n", name, world, seconds);
    }
  }
}
