package dev.oriel.it.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.msccl.FlagOrder;
import dev.oriel.domain.msccl.MscclDefects;
import dev.oriel.domain.msccl.MscclPlan;
import dev.oriel.domain.msccl.MscclReader;
import dev.oriel.domain.msccl.MscclTranslation;
import dev.oriel.domain.msccl.MscclVariant;
import dev.oriel.domain.msccl.PlanXml;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A plan is decided by one execution if one agent ends each wait, by a value that only grows. Then
 * a search of every order of every step must find the same. A program that breaks a condition must
 * not be decided so, unless that search agrees as well.
 */
class DecidedPlanTest {
  private static final int STATES = 60_000;
  private static final Checker FULL =
      new Checker(
          Strategy.FULL,
          new Budget(1, STATES, 100_000, 400_000_000),
          1,
          Checker.strict(Profile.L2, 1));
  private static final Checker DECIDING =
      new Checker(
          Strategy.SYNCHRONISATION,
          new Budget(1, 1, Budget.DEFAULT.steps(), Budget.DEFAULT.work()),
          1,
          Checker.strict(Profile.L2, 1));

  /** Small enough for a search of every order. */
  private static List<PlanXml> plans() {
    PlanXml local = PlanXml.of("custom", 1, 2);
    local
        .gpu(0, 2, 2, 1)
        .tb(-1, -1, 0, "cpy i0 > s0 announced", "cpy i1 > o1 announced")
        .tb(-1, -1, 0, "cpy s0 > o0 after 0.0 announced")
        .tb(-1, -1, 0, "nop after 1.0", "re o0 > o1 after 0.1");
    PlanXml send =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0", "s i1")
            .gpu(1, 2, 2, 1)
            .tb(-1, 0, 0, "r > s0 announced", "r > o1 announced")
            .tb(-1, -1, 0, "cpy s0 > o0 after 0.1");
    return List.of(local, send, PlanXml.ringAllGather(2), PlanXml.exchangeAllReduce());
  }

  /** The answer of one execution; empty unless it covers all others. */
  private static Optional<String> decided(Form form, int world) {
    CombinationSearch search =
        new CombinationSearch(
            Optional.of(DECIDING),
            DECIDING,
            Optional.empty(),
            Optional.empty(),
            DECIDING,
            Optional.empty(),
            1);
    CheckCoverage coverage =
        search.run(
            new CombinationPlan(List.of(form), SmallWorlds.only("1x" + world), Map.of(), true));
    return coverage.decided() ? Optional.of(kind(coverage.shown().report())) : Optional.empty();
  }

  private static String kind(CheckReport report) {
    return report.verdict().violation().map(found -> found.kind()).orElse("holds");
  }

  /** The answer of every order of every step; empty if there are too many. */
  private static Optional<String> full(Form form, int world) {
    CheckReport report =
        FULL.explore(Program.bind(form, world, Map.of()), Topology.parse("1x" + world));
    boolean known = report.found().isPresent() || ExplorationSummary.complete(report);
    return known ? Optional.of(kind(report)) : Optional.empty();
  }

  /** Whether both answered; they must agree then, up to the kind of mistake. */
  private static boolean agree(Form form, int world) {
    Optional<String> one = decided(form, world);
    Optional<String> all = one.isEmpty() ? Optional.empty() : full(form, world);
    all.ifPresent(kind ->
        assertThat(one.orElseThrow().equals("holds"))
            .as("%s, %s: %s", one, all, FormPrinter.print(form))
            .isEqualTo(kind.equals("holds")));
    return all.isPresent();
  }

  private static Form form(MscclPlan plan, FlagOrder flags) {
    return MscclTranslation.of(plan, MscclVariant.of(plan).getFirst(), flags).form();
  }

  @Test
  void oneExecutionAgreesWithEveryOrder() {
    Random random = new Random(7);
    int compared = 0;
    int mistakes = 0;
    int count = Thorough.count(40, 600);
    for (int i = 0; i < count; i++) {
      PlanXml base = plans().get(random.nextInt(plans().size()));
      String text = base.protocol(List.of("Simple", "LL").get(random.nextInt(2))).text();
      for (int k = random.nextInt(3); k > 0; k--) {
        text = PlanOracleTest.changed(text, random);
      }
      Optional<MscclPlan> plan = read(text);
      if (plan.isEmpty()) {
        continue;
      }
      Form form = form(plan.get(), i % 2 == 0 ? FlagOrder.INTENDED : FlagOrder.AS_WRITTEN);
      if (agree(form, plan.get().world())) {
        compared++;
        mistakes += decided(form, plan.get().world()).orElseThrow().equals("holds") ? 0 : 1;
      }
    }
    assertThat(compared).isGreaterThan(count / 8);
    assertThat(mistakes).isBetween(1, compared - 1);
  }

  private static Optional<MscclPlan> read(String text) {
    try {
      return Optional.of(MscclReader.read(text, "plan.xml"))
          .filter(plan -> MscclDefects.of(plan).isEmpty());
    } catch (ProgramException _) {
      return Optional.empty();
    }
  }

  /** Their transfers mix, so no execution decides; the text alone shows this mistake. */
  @Test
  void blocksThatShareAConnectionAreNotDecidedToHold() {
    String text =
        PlanXml.of("custom", 2, 2)
            .gpu(0, 2, 2, 0)
            .tb(1, -1, 0, "s i0")
            .tb(1, -1, 0, "s i1")
            .gpu(1, 2, 2, 0)
            .tb(-1, 0, 0, "r > o0", "r > o1")
            .text();
    MscclPlan plan = MscclReader.read(text, "plan.xml");
    assertThat(MscclDefects.of(plan)).isNotEmpty();
    Form form = form(plan, FlagOrder.INTENDED);
    assertThat(decided(form, 2)).isNotEqualTo(Optional.of("holds"));
  }

  /** A flag that does not only grow, and one that two blocks change. */
  @Test
  void flagsThatBreakAConditionAreNotDecidedToHold() {
    String text =
        FormPrinter.print(
            form(MscclReader.read(plans().getFirst().text(), "plan.xml"), FlagOrder.INTENDED));
    String first = "signal done[0] set epoch * 3 + 1 release gpu";
    String await = "await done[0] reached epoch * 3 + 1 acquire gpu";
    assertThat(text).contains(first, await);
    List<String> mutants =
        List.of(
            // Equal to a value that the next one replaces.
            text.replace(await, await.replace("reached", "==")),
            // The second signal may come first, and releases nothing of the first block.
            text.replace("done[1]", "done[0]"));
    for (String mutant : mutants) {
      assertThat(mutant).isNotEqualTo(text);
      Form form = FormParser.parse(mutant);
      assertThat(decided(form, 1)).as(mutant).isNotEqualTo(Optional.of("holds"));
    }
    assertThat(decided(FormParser.parse(text), 1)).contains("holds");
    assertThat(full(FormParser.parse(text), 1)).contains("holds");
  }
}
