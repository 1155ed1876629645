package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.mutate.Mutant;
import dev.oriel.sim.mutate.MutantGenerator;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.ProgramOutcomes;
import dev.oriel.sim.trial.SurvivorAnalysis.Likeness;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The result for a survivor if a search was cut. */
class TrialRunnerTest {
  private static final Form FORM =
      FormParser.parse(
          """
          form handshake
          input in[8]
          output out[8]
          signal READY[1]
          signal DATA[1]
          ensure out[0] = in@((r - 1) % n)[0] bytes 8
          lane main: sm(32) {
            let succ = (r + 1) % n
            let pred = (r - 1) % n
            signal READY[0]@pred set epoch release
            await READY[0]@succ reached epoch acquire
            move out@succ[0] <- in[0] bytes 8
            signal DATA[0]@succ set epoch release
            await DATA[0]@pred reached epoch acquire
            flush @succ local
          }
          """);

  private static final int ALL = 100_000;

  private static Mutant mutant(String name) {
    return mutant(FORM, name);
  }

  private static Mutant mutant(Form form, String name) {
    return MutantGenerator.of(form).stream()
        .filter(m -> m.name().startsWith(name))
        .findFirst()
        .orElseThrow();
  }

  /** By synchronisation up to that many steps of an execution, in full up to that many states. */
  private static TrialRunner trials(long steps, long full) {
    return trials(FORM, steps, full);
  }

  private static TrialRunner trials(Form form, long steps, long full) {
    TrialSetting setting =
        new TrialSetting(
            Topology.parse("1x2"),
            Map.of(),
            Profile.RDMA_STRICT,
            3,
            1,
            new Budget(1, ALL, steps, 200_000_000),
            new Budget(1, full, 20_000, 200_000_000),
            1);
    return new TrialRunner(form, setting, System::nanoTime);
  }

  private static SurvivorAnalysis compare(Mutant mutant, long steps, long full) {
    return trials(steps, full).compare(mutant);
  }

  private static boolean bound(Mutant mutant) {
    return trials(ALL, ALL).quick(mutant).refusal().isEmpty();
  }

  private static SurvivorAnalysis harmless(long steps, long full) {
    return compare(mutant("wrong-comparison.1 at main:4 'await READY"), steps, full);
  }

  @Test
  void sameNeedsTwoExhaustiveSearches() {
    SurvivorAnalysis same = harmless(ALL, ALL);
    assertThat(same.likeness()).isEqualTo(Likeness.SAME);
    assertThat(same.states()).isPresent();
    // The full search covers one launch, the search by synchronisation not even that.
    SurvivorAnalysis cut = harmless(3, ALL);
    assertThat(cut.likeness()).isEqualTo(Likeness.BOUNDED);
    assertThat(cut.equivalent()).isFalse();
  }

  @Test
  void equivalentMutantsAreNeverDifferentInACutSearch() {
    List<Mutant> harmless =
        MutantGenerator.of(FORM).stream()
            .filter(m -> bound(m) && compare(m, ALL, ALL).likeness() == Likeness.SAME)
            .toList();
    assertThat(harmless).isNotEmpty();
    Set<Likeness> seen = EnumSet.noneOf(Likeness.class);
    for (Mutant mutant : harmless) {
      for (int steps = 1; steps < 80; steps++) {
        Likeness likeness = compare(mutant, steps, ALL).likeness();
        assertThat(likeness)
            .as("%s, steps=%d", mutant.name(), steps)
            .isIn(Likeness.BOUNDED, Likeness.SAME);
        seen.add(likeness);
      }
    }
    assertThat(seen).contains(Likeness.BOUNDED, Likeness.SAME);
  }

  @Test
  void aCutOriginalGivesNoStates() {
    SurvivorAnalysis cut = harmless(ALL, 3);
    assertThat(cut.likeness()).isEqualTo(Likeness.SYNCHRONISED);
    assertThat(cut.states()).isEmpty();
    assertThat(cut.toString()).contains("(not explored in full)").doesNotContain("states=");
  }

  @Test
  void detectedMistakesAreDifferentInACutFullSearch() {
    Mutant wrong = mutant("drop.1 at main:7 'await DATA");
    assertThat(compare(wrong, ALL, ALL).likeness()).isEqualTo(Likeness.DIFFERENT);
    assertThat(compare(wrong, ALL, 3).likeness()).isEqualTo(Likeness.DIFFERENT);
  }

  /**
   * The operation named as ordering the accesses is removed too: that is detected, or another one
   * orders them.
   */
  @Test
  void theNamedOperationIsRemovedToo() {
    Mutant alone = mutant("wrong-comparison.1 at main:7 'await DATA");
    assertThat(reason(FORM, alone)).isInstanceOf(SurvivorAnalysis.Way.class);
    assertThat(reason(FORM, alone).toString())
        .startsWith("ordered by 'await DATA")
        .endsWith("; without it, race");
    Form twice =
        FormParser.parse(
            FormPrinter.print(FORM)
                .replace("signal DATA[1]", "signal DATA[1]\nsignal AGAIN[1]")
                .replace(
                    "  signal DATA[0]@succ set epoch release",
                    "  signal DATA[0]@succ set epoch release\n  signal AGAIN[0]@succ set epoch release")
                .replace(
                    "  flush @succ local",
                    "  await AGAIN[0]@pred reached epoch acquire\n  flush @succ local"));
    Mutant either = mutant(twice, "wrong-comparison.1 at main:8 'await DATA");
    assertThat(reason(twice, either).toString())
        .startsWith("ordered by 'await ")
        .endsWith("; without it, by something else");
  }

  private static SurvivorAnalysis.Reason reason(Form form, Mutant mutant) {
    SurvivorAnalysis survivor = trials(form, ALL, ALL).compare(mutant);
    assertThat(survivor.equivalent()).isTrue();
    return survivor.reason().orElseThrow();
  }

  /** Neither search from the first launch finds it. A wrong original gives no result. */
  @Test
  void aMistakeDetectedAtAWrapIsNotEquivalent() {
    Mutant late = mutant("wrong-comparison.1 at main:7 'await DATA");
    MutantTrial trial = trials(ALL, ALL).quick(late);
    assertThat(trial.checked()).isEmpty();
    assertThat(trial.wraps()).isTrue();
    assertThat(trial.killed()).isTrue();
    assertThat(trial.killer()).isEqualTo("a wrap");
    assertThat(trials(ALL, ALL).quick(mutant("drop.1 at main:7 'await DATA")).wraps()).isFalse();
    Form wrong = late.form();
    MutantTrial other = trials(wrong, ALL, ALL).quick(mutant(wrong, "drop.1 at main:8 'flush"));
    assertThat(other.killed()).isFalse();
  }

  @Test
  void withoutAReasonASurvivorIsNotEquivalent() {
    SurvivorAnalysis silent =
        new SurvivorAnalysis(Likeness.SAME, OptionalLong.of(1), 1, Optional.empty());
    assertThat(silent.equivalent()).isFalse();
    assertThat(silent.word()).isEqualTo("same outcomes");
    SurvivorAnalysis known =
        new SurvivorAnalysis(
            Likeness.SAME,
            OptionalLong.of(1),
            1,
            Optional.of(SurvivorAnalysis.Nothing.NOTHING_LOST));
    assertThat(known.equivalent()).isTrue();
  }

  /**
   * By states alone: distinguishes detected mistakes from equivalent ones, and neither in a cut
   * search.
   */
  @Test
  void theFullSearchAloneIsBoundedIfCut() {
    Mutant harmless = mutant("wrong-comparison.1 at main:4 'await READY");
    Mutant wrong = mutant("drop.1 at main:7 'await DATA");
    assertThat(trials(ALL, ALL).full(harmless)).isEqualTo(Likeness.SAME);
    assertThat(trials(ALL, ALL).full(wrong)).isEqualTo(Likeness.DIFFERENT);
    assertThat(trials(ALL, 3).full(harmless)).isEqualTo(Likeness.BOUNDED);
    assertThat(trials(ALL, 3).full(wrong)).isEqualTo(Likeness.BOUNDED);
  }

  @Test
  void outcomesMissingInACutSearchAreNoDifference() {
    ProgramOutcomes whole = outcomes(true, 1L, 2L);
    assertThat(whole.differs(outcomes(true, 1L, 2L))).isFalse();
    assertThat(whole.differs(outcomes(true, 1L))).isTrue();
    assertThat(whole.differs(outcomes(false, 1L))).isFalse();
    assertThat(whole.differs(outcomes(false, 1L, 3L))).isTrue();
    assertThat(outcomes(false, 1L, 3L).differs(whole)).isTrue();
    assertThat(outcomes(false, 1L).differs(outcomes(false, 2L))).isFalse();
  }

  private static ProgramOutcomes outcomes(boolean exhausted, Long... outputs) {
    return new ProgramOutcomes(Set.of(), Set.of(outputs), exhausted, 1);
  }
}
