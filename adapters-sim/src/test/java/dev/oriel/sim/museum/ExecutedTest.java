package dev.oriel.sim.museum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.program.Cond;
import dev.oriel.domain.program.Expr;
import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Comparison;
import dev.oriel.sim.machine.settings.DetectorSet;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.CampaignShard;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A repaired program does not pass by doing nothing. After each of its operations in turn there is
 * a check that always fails. If the operation were never executed, or were a wait that never ends,
 * there would be no finding.
 */
class ExecutedTest {
  private static final Budget BUDGET = new Budget(1, 20_000, 1_000_000, 100_000_000);
  private static final Op NEVER =
      new Op.Check(Cond.of(Expr.name("epoch"), Comparison.EQ, Expr.of(0)), 255);

  static Stream<CaseStudy> shown() {
    return CaseStudyCatalogue.read().exhibits().stream().filter(e -> e.showcase().isPresent());
  }

  @ParameterizedTest
  @MethodSource("shown")
  void everyOperationOfARepairedProgramExecutes(CaseStudy exhibit) {
    CaseStudyPrograms showcase = exhibit.showcase().orElseThrow();
    assertThat(unexecuted(showcase, showcase.edit().twin())).as(exhibit.id()).isEmpty();
  }

  @Test
  void anOperationThatIsNeverExecutedIsDetected() {
    CaseStudyPrograms showcase = CaseStudyFixtures.showcase("B35");
    String idle = showcase.edit().twin().replace("  if r == 1 {", "  if r == 1 and epoch == 0 {");
    assertThat(unexecuted(showcase, idle))
        .hasSize(3)
        .first()
        .asString()
        .contains("await DATA[0]@(0) reached 1 acquire");
  }

  private static List<String> unexecuted(CaseStudyPrograms showcase, String text) {
    return RewriteSite.of(FormParser.parse(text)).stream()
        .filter(spot -> !executes(showcase, spot.replaced(List.of(spot.op(), NEVER))))
        .map(spot -> spot.place().toString())
        .toList();
  }

  private static boolean executes(CaseStudyPrograms showcase, Form form) {
    return Stream.of(showcase.faults(), FaultPlan.NONE)
        .anyMatch(faults ->
            fails(showcase, form, Strategy.FIFO, faults)
                || fails(showcase, form, Strategy.SYNCHRONISATION, faults));
  }

  private static boolean fails(
      CaseStudyPrograms showcase, Form form, Strategy strategy, FaultPlan faults) {
    Topology topology = Topology.parse(showcase.world());
    ExecutionSettings settings =
        new ExecutionSettings(
            showcase.profile(), showcase.launches(), DetectorSet.ALL, showcase.timeouts());
    Checker checker = new Checker(strategy, BUDGET, 1, settings, faults, CampaignShard.WHOLE);
    return !checker.check(Program.bind(form, topology.world(), Map.of()), topology).holds();
  }
}
