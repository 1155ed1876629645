package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Single executions of every program that comes along, in worlds that no search gets through. Every
 * lane and every queue has a clock with an entry for each of them, so memory goes by the square of
 * what ranks do for each peer: who has several lanes for each is refused first.
 */
class LargerWorldsTest {
  private static final Budget ONE = new Budget(1, 1, 10_000_000, 1);

  /** What is refused from 24 ranks on. */
  private static final Set<String> FEW =
      Set.of("push_all_gather", "push_all_to_all", "all_to_all_v");

  /** What is refused in a world of 64, {@link #FEW} aside. */
  private static final Set<String> FEWER_THAN_64 =
      Set.of(
          "ll_all_gather",
          "ll_all_to_all",
          "signal_barrier",
          "doubling_all_gather",
          "two_shot_all_reduce",
          "direct_reduce_scatter",
          "rail_all_reduce",
          "moe_dispatch",
          "moe_combine",
          "transposing_all_to_all",
          "quantised_all_gather",
          "weighted_moe_combine");

  static List<String> programs() {
    List<String> names = new ArrayList<>(ShippedPrograms.all());
    names.addAll(ShippedPrograms.HOOKED);
    return names;
  }

  static List<String> programsFor64() {
    return programs().stream().filter(n -> !FEW.contains(n) && !FEWER_THAN_64.contains(n)).toList();
  }

  static List<String> programsForFewer() {
    List<String> names = new ArrayList<>(programs());
    names.removeAll(programsFor64());
    return names;
  }

  /** In hosts of eight, or one host where memory has to be mapped. */
  private static String world(String name, int ranks) {
    boolean mapped =
        ShippedPrograms.MAPPED.contains(name) || ShippedPrograms.ENGINES.contains(name);
    return mapped ? "1x" + ranks : ranks / 8 + "x8";
  }

  /** What is wrong, why it was refused, or nothing. */
  private static String executed(String name, int ranks, Strategy strategy) {
    Topology topology = Topology.parse(world(name, ranks));
    Form form = ShippedPrograms.form(name);
    Program program = Program.bind(form, ranks, ShippedPrograms.params(form, 4, 1));
    try {
      Verdict verdict =
          new Checker(strategy, ONE, 1, Checker.strict(Profile.L2, 2)).check(program, topology);
      return verdict.violation().map(v -> v.kind() + ": " + v.message()).orElse("");
    } catch (MachineException e) {
      return "refused: " + e.getMessage();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void sixteenAndTwentyFourRanksHold(String name) {
    assertThat(executed(name, 16, Strategy.FIFO)).isEmpty();
    if (!FEW.contains(name)) {
      assertThat(executed(name, 24, Strategy.RANDOM)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("programsFor64")
  @EnabledIfSystemProperty(named = "oriel.kill", matches = "full")
  void sixtyFourRanksHold(String name) {
    assertThat(executed(name, 64, Strategy.FIFO)).isEmpty();
  }

  /** They take a gigabyte before they are refused. */
  @ParameterizedTest
  @MethodSource("programsForFewer")
  @EnabledIfSystemProperty(named = "oriel.kill", matches = "full")
  void whatIsLeftOutIsRefused(String name) {
    int ranks = FEW.contains(name) ? 24 : 64;
    assertThat(executed(name, ranks, Strategy.FIFO)).startsWith("refused: ").contains("clocks");
  }
}
