package dev.oriel.sim.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Grouping;
import dev.oriel.domain.rewrite.FormEdits;
import dev.oriel.domain.rewrite.ReductionEdits;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.contract.ShippedPrograms;
import dev.oriel.sim.machine.settings.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped collectives that reduce, that have a root, and that use counts. */
class CollectivesTest {
  private static final int LAUNCHES = 3;
  private static final Budget BUDGET = new Budget(3, 100_000, 1_000_000, 1_000_000_000);

  /** Several times the need of the exhaustible programs, and soon spent by the others. */
  private static final Budget FULL = new Budget(1, 20_000, 1_000_000, 200_000_000);

  /** Programs in {@link #BOUNDED} spend any such budget. */
  private static final Budget FULL_OF_SEVERAL =
      new Budget(
          1, Thorough.count(1_000, 5_000), 1_000_000, Thorough.count(10_000_000L, 50_000_000L));

  /** With one lane per direction: counts in memory multiply a lane's orders. */
  private static final Budget FULL_IN_ONE = new Budget(1, 200_000, 1_000_000, 2_000_000_000);

  /**
   * Programs with several lanes or tiles have more orders than {@link #FULL} allows: orders of two
   * lanes multiply. The orders of one lane are exhausted.
   */
  private static final Set<String> BOUNDED =
      Set.of(
          "ll_all_gather",
          "ll_all_to_all",
          "split_all_to_all",
          "push_all_gather",
          "push_all_to_all",
          "ring_send_recv",
          "push_send_recv",
          "ll_send_recv",
          "chain_forward",
          "all_to_all_v",
          "moe_dispatch",
          "moe_combine",
          "weighted_moe_combine");

  static List<String> names() {
    List<String> names = new ArrayList<>(ShippedPrograms.REDUCING);
    names.addAll(ShippedPrograms.ROOTED);
    names.addAll(ShippedPrograms.COUNTED);
    return names;
  }

  private static Verdict check(
      Form form, String world, long bytes, long root, Strategy strategy, Profile profile) {
    return check(form, world, bytes, root, strategy, profile, BUDGET);
  }

  private static Verdict check(
      Form form,
      String world,
      long bytes,
      long root,
      Strategy strategy,
      Profile profile,
      Budget budget) {
    Topology topology = Topology.parse(world);
    Program program =
        Program.bind(form, topology.world(), ShippedPrograms.params(form, bytes, root));
    return new Checker(strategy, budget, 1, Checker.strict(profile, LAUNCHES))
        .check(program, topology);
  }

  /**
   * Every order of synchronisation gives the same result: nothing depends on which rank is first.
   */
  @ParameterizedTest
  @MethodSource("names")
  void holdInTwoAndThreeRanksHoweverTheySynchronise(String name) {
    Form form = ShippedPrograms.form(name);
    for (String world : List.of("1x1", "1x2", "2x1", "1x3", "3x1")) {
      for (long bytes : new long[] {0, 4, 20, 100}) {
        for (Profile profile : List.of(Profile.L1, Profile.L2, Profile.L3, Profile.RDMA_STRICT)) {
          if (!Thorough.takes(8, name, world, bytes, profile.name())) {
            continue;
          }
          Verdict v = check(form, world, bytes, 1, Strategy.SYNCHRONISATION, profile);
          assertThat(v.violation()).as("%s %s %d %s", name, world, bytes, profile).isEmpty();
          assertThat(v.bounds()).as("%s %s %d", name, world, bytes).isEmpty();
        }
      }
    }
  }

  static List<String> all() {
    List<String> names = new ArrayList<>(ShippedPrograms.all());
    names.addAll(ShippedPrograms.HOOKED);
    return names;
  }

  private static boolean mapped(String name) {
    return ShippedPrograms.MAPPED.contains(name) || ShippedPrograms.ENGINES.contains(name);
  }

  /** Every order of every step; programs outside of {@link #BOUNDED} are exhausted. */
  @ParameterizedTest
  @MethodSource("all")
  void holdInTwoRanksInEveryOrder(String name) {
    Form form = ShippedPrograms.form(name);
    for (String world : mapped(name) ? List.of("1x2") : List.of("1x2", "2x1")) {
      Budget budget = BOUNDED.contains(name) ? FULL_OF_SEVERAL : FULL;
      Verdict v = check(form, world, 4, 1, Strategy.FULL, Profile.RDMA_STRICT, budget);
      assertThat(v.violation()).as("%s %s", name, world).isEmpty();
      assertThat(v.bounds().isEmpty())
          .as("%s %s seen in full, bounds %s", name, world, v.bounds())
          .isEqualTo(!BOUNDED.contains(name));
    }
  }

  static List<String> bounded() {
    return BOUNDED.stream().sorted().toList();
  }

  /** With one lane, one token and rings of two small tiles, the others are exhausted too. */
  @ParameterizedTest
  @MethodSource("bounded")
  void thoseOfSeveralLanesHoldInEveryOrderInOne(String name) {
    Map<String, Long> small = new HashMap<>(Map.of("K", 1L, "J", 1L));
    if (name.endsWith("send_recv") || name.equals("chain_forward")) {
      small.putAll(Map.of("D", 2L, "S", 8L));
    }
    Form original = ShippedPrograms.form(name);
    Form form =
        FormEdits.withDefinitions(
            original,
            original.definitions().stream()
                .map(d ->
                    small.containsKey(d.name())
                        ? new Form.Definition(d.name(), Expr.of(small.get(d.name())))
                        : d)
                .toList());
    Map<String, Long> params = new HashMap<>(ShippedPrograms.params(form, 4, 1));
    params.replace("T", 1L);
    for (String world : mapped(name) ? List.of("1x2") : List.of("1x2", "2x1")) {
      Topology topology = Topology.parse(world);
      Verdict v =
          new Checker(Strategy.FULL, FULL_IN_ONE, 1, Checker.strict(Profile.RDMA_STRICT, LAUNCHES))
              .check(Program.bind(form, topology.world(), params), topology);
      assertThat(v.violation()).as("%s %s", name, world).isEmpty();
      assertThat(v.bounds()).as("%s %s", name, world).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x4", "2x2", "1x5", "2x3", "1x8", "2x4", "8x1"})
  void holdInLargerWorldsByEveryStrategy(String world) {
    for (String name : names()) {
      Form form = ShippedPrograms.form(name);
      for (long bytes : new long[] {4, 100}) {
        if (!Thorough.takes(20, name, world, bytes)) {
          continue;
        }
        Verdict v = check(form, world, bytes, 2, Strategy.PORTFOLIO, Profile.L2);
        assertThat(v.violation()).as("%s %s %d", name, world, bytes).isEmpty();
      }
    }
  }

  /** Several lanes and many packets, with a root that is not the first rank. */
  @ParameterizedTest
  @ValueSource(strings = {"1x3", "2x2"})
  void holdWithSeveralLanes(String world) {
    for (String name : names()) {
      if (!Thorough.takes(4, name, world)) {
        continue;
      }
      Form form = ShippedPrograms.form(name);
      Verdict v = check(form, world, 5004, 7, Strategy.SYNCHRONISATION, Profile.L3);
      assertThat(v.violation()).as("%s %s", name, world).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SUM, FP16",
    "SUM, BF16",
    "SUM, INT8",
    "SUM, INT64",
    "SUM, FP8_E4M3",
    "MIN, FP32",
    "MAX, BF16",
    "MAX, INT32",
    "PROD, FP64",
    "AVG, FP32",
    "AVG, BF16",
    "AVG, INT16"
  })
  void holdForEveryKindOfElement(ReduceOp op, DataType type) {
    for (String name : ShippedPrograms.REDUCING) {
      Form form = ShippedPrograms.form(name);
      boolean steps =
          form.ensures().stream().anyMatch(e -> !(e.grouping() instanceof Grouping.AtOnce));
      if (steps && op == ReduceOp.AVG) {
        continue; // Stepwise sums cannot divide: ReductionTextTest shows that this is rejected.
      }
      for (String world : List.of("1x3", "2x2")) {
        if (!Thorough.takes(4, op, type, name, world)) {
          continue;
        }
        Verdict v =
            check(
                ReductionEdits.with(form, op, type), world, 40, 0, Strategy.PORTFOLIO, Profile.L2);
        assertThat(v.violation()).as("%s %s", name, world).isEmpty();
      }
    }
  }

  /** Programs that access peers' memory directly pass on mapped links. */
  @ParameterizedTest
  @ValueSource(strings = {"1x1", "1x2", "1x3", "1x4"})
  void mappedOnesHoldOnOneHost(String world) {
    List<String> mapped = new ArrayList<>(ShippedPrograms.MAPPED);
    mapped.addAll(ShippedPrograms.ENGINES);
    for (String name : mapped) {
      Form form = ShippedPrograms.form(name);
      for (long bytes : new long[] {0, 4, 20, 5004}) {
        Verdict v = check(form, world, bytes, 0, Strategy.SYNCHRONISATION, Profile.L2);
        assertThat(v.violation()).as("%s %s %d", name, world, bytes).isEmpty();
        assertThat(v.bounds()).as("%s %s %d", name, world, bytes).isEmpty();
      }
    }
  }

  /**
   * Without READY a rank reads an input before its preparation, without DONE during its next one.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "await READY[b]@peers reached epoch acquire",
        "signal READY[b]@peers set epoch release\n  await READY[b]@peers reached epoch acquire",
        "await DONE[b]@peers reached epoch acquire"
      })
  void mappedOnesNeedSignalsAtBothEnds(String left) {
    Form form = ShippedPrograms.edited("pull_all_reduce", left.replace("\\n", "\n"), "");
    assertThat(check(form, "1x2", 8, 0, Strategy.PORTFOLIO, Profile.L2).violation()).isPresent();
  }

  /** One slot is too few for the one-shot program: only packets of the next call hold it back. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1", "1x3"})
  void oneShotNeedsTwoParitiesAndTwoShotsNone(String world) {
    Form one =
        ShippedPrograms.edited("ll_all_reduce", "let half = (epoch & 1) * n", "let half = 0");
    assertThat(check(one, world, 8, 0, Strategy.PORTFOLIO, Profile.L2).violation()).isPresent();
    Form two = ShippedPrograms.form("two_shot_all_reduce");
    assertThat(check(two, world, 8, 0, Strategy.PORTFOLIO, Profile.L2).violation()).isEmpty();
  }
}
