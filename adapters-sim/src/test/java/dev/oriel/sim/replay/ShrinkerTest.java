package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormPrinter;
import dev.oriel.domain.program.Op;
import dev.oriel.domain.program.parse.FormParser;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.ports.contract.ShippedPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

@SuppressWarnings("OperatorPrecedence")
class ShrinkerTest {
  private static final int BUDGET = 20_000;
  private static final FaultPlan THREE =
      FaultPlan.parse("crash rank=5 after=3; straggle rank=1 by=4; abort rank=2 after=9");

  /** Fails according to the program and its choices alone, without an execution. */
  private static Shrinker.Oracle when(Predicate<ExecutionCase> fails) {
    return c ->
        fails.test(c) ? Optional.of(new ExecutionFailure("race", c.choices())) : Optional.empty();
  }

  private static Shrinker.Result shrink(ExecutionCase failing, Shrinker.Oracle oracle) {
    return new Shrinker(oracle, ReplayFixtures.PROFILES, BUDGET, false).shrink(failing);
  }

  private static long count(Form form, Class<? extends Op> kind) {
    return RewriteSite.of(form).stream().filter(s -> kind.isInstance(s.op())).count();
  }

  @Test
  void irrelevantPartsAreRemoved() {
    ExecutionCase failing = ReplayFixtures.ring(2, 4, THREE, 0, 3, 0, 1, 2);
    Shrinker.Result result = shrink(failing, when(c -> true));
    ExecutionCase least = result.smallest();
    assertThat(result.confirmed()).isTrue();
    assertThat(least.faults()).isEqualTo(FaultPlan.NONE);
    assertThat(least.world()).hasToString("1x1");
    assertThat(least.launches()).isEqualTo(1);
    assertThat(least.choices()).isEqualTo(ChoiceScript.DEFAULT);
    assertThat(least.profile()).isEqualTo("l0");
    assertThat(FormPrinter.print(least.form()))
        .isEqualTo(
            """
            form ring_send_recv
            lane main: sm(32) {
            }
            """);
  }

  @Test
  void relevantPartsRemain() {
    ExecutionCase failing = ReplayFixtures.ring(2, 4, THREE, 0, 3, 0, 1, 2);
    Shrinker.Result result =
        shrink(
            failing,
            when(c ->
                c.faults().faults().stream().anyMatch(f -> f instanceof Fault.Crash)
                    && c.world().world() >= 3
                    && c.params().getOrDefault("B", 0L) >= 24
                    && c.launches() >= 2
                    && count(c.form(), Op.Move.class) >= 1
                    && c.choices().deviations().size() >= 2
                    && !c.profile().equals("l0")));
    ExecutionCase least = result.smallest();
    assertThat(least.faults()).hasToString("crash rank=2 after=3");
    assertThat(least.world()).hasToString("1x3");
    assertThat(least.params()).containsOnly(Map.entry("B", 24L));
    assertThat(least.launches()).isEqualTo(2);
    assertThat(RewriteSite.of(least.form())).hasSize(1);
    assertThat(least.choices().deviations()).hasSize(2);
    assertThat(SmallerScripts.sum(least.choices())).isEqualTo(2);
    assertThat(least.profile()).isEqualTo("l1");
    assertThat(result.passes())
        .extracting(Shrinker.PassReport::name)
        .containsExactly(
            "faults",
            "ranks",
            "sizes",
            "launches",
            "operations",
            "deviations",
            "choices",
            "profile");
    assertThat(result.passes())
        .filteredOn(p -> p.name().equals("ranks"))
        .allMatch(p -> p.before() == 8 && p.after() == 3);
  }

  @Test
  void anotherKindOfFailureIsNotTheSame() {
    ExecutionCase failing = ReplayFixtures.ring(1, 4, FaultPlan.NONE);
    Shrinker.Result result =
        shrink(
            failing,
            c -> {
              String kind = c.world().world() >= 4 ? "race" : "deadlock";
              return Optional.of(new ExecutionFailure(kind, c.choices()));
            });
    assertThat(result.smallest().world()).hasToString("1x4");
  }

  @Test
  void aPredicateThatIsNotMonotoneEndsAtALocalMinimum() {
    ExecutionCase failing = ReplayFixtures.ring(1, 8, FaultPlan.NONE, 1, 1, 1);
    Shrinker.Result result =
        shrink(
            failing, when(c -> c.world().world() % 2 == 0 && c.choices().deviations().size() != 2));
    assertThat(result.smallest().world()).hasToString("1x2");
    assertThat(result.smallest().choices()).isEqualTo(ChoiceScript.DEFAULT);
  }

  @Test
  void anInconsistentOracleGivesNoConfirmation() {
    int[] asked = {0};
    ExecutionCase failing = ReplayFixtures.ring(2, 4, THREE, 0, 3, 0, 1, 2);
    Shrinker.Oracle flaky = when(c -> ++asked[0] == 1 || asked[0] % 3 == 0 && asked[0] < 100);
    Shrinker.Result result = shrink(failing, flaky);
    assertThat(asked[0]).isEqualTo(result.executions()).isLessThan(BUDGET);
    assertThat(result.confirmed()).isFalse();
  }

  @Test
  void choicesOfAFailingExecutionAreAdopted() {
    ExecutionCase failing = ReplayFixtures.ring(1, 4, FaultPlan.NONE, 5, 5, 5);
    Shrinker.Oracle searching =
        c -> Optional.of(new ExecutionFailure("race", ChoiceScript.of(c.world().world() - 1)));
    Shrinker.Result result = shrink(failing, searching);
    assertThat(result.smallest().choices()).isEqualTo(ChoiceScript.DEFAULT);
    assertThat(result.smallest().world().world()).isEqualTo(1);
  }

  @Test
  void theBudgetCountsExecutions() {
    for (int budget : new int[] {2, 3, 10, 57}) {
      List<ExecutionCase> executed = new ArrayList<>();
      Shrinker.Oracle oracle =
          c -> {
            executed.add(c);
            return Optional.of(new ExecutionFailure("race", c.choices()));
          };
      Shrinker.Result result =
          new Shrinker(oracle, ReplayFixtures.PROFILES, budget, false)
              .shrink(ReplayFixtures.ring(2, 4, THREE, 1, 2, 3));
      assertThat(executed).hasSize(result.executions()).hasSizeLessThanOrEqualTo(budget);
      assertThat(executed.getLast()).isEqualTo(result.smallest());
    }
    assertThatThrownBy(() -> new Shrinker(when(c -> true), ReplayFixtures.PROFILES, 1, false))
        .hasMessageContaining("budget too small: executions=1");
  }

  /** No further case is tried once the work is enough; the smallest one is still confirmed. */
  @Test
  void theOracleEndsTheDescent() {
    List<ExecutionCase> executed = new ArrayList<>();
    Shrinker.Oracle oracle =
        new Shrinker.Oracle() {
          @Override
          public Optional<ExecutionFailure> run(ExecutionCase candidate) {
            executed.add(candidate);
            return Optional.of(new ExecutionFailure("race", candidate.choices()));
          }

          @Override
          public boolean isSpent() {
            return executed.size() > 4;
          }
        };
    Shrinker.Result result =
        new Shrinker(oracle, ReplayFixtures.PROFILES, BUDGET, false)
            .shrink(ReplayFixtures.ring(2, 4, THREE, 1, 2, 3));
    assertThat(executed).hasSize(6).last().isEqualTo(result.smallest());
    assertThat(result.confirmed()).isTrue();
  }

  @Test
  void aCaseThatDoesNotFailIsRejected() {
    assertThatThrownBy(() -> shrink(ReplayFixtures.ring(1, 2, FaultPlan.NONE), when(c -> false)))
        .isInstanceOf(ReplayException.class)
        .hasMessageContaining("nothing to shrink: form=ring_send_recv, world=1x2");
  }

  @Test
  void conditionsAndLoopsAreUnrolled() {
    Form form =
        FormParser.parse(
            """
            form nested
            output out[64]
            signal S[4]
            lane other: sm(64) {
              sync
            }
            lane main(g < 2): sm(64) {
              join other
              each p in peers {
                for t < 4 {
                  if r == 0 {
                    signal S[t]@p set epoch + g release
                  } else {
                    sync
                  }
                }
              }
              await S[0]@peers reached 1 acquire
            }
            """);
    ExecutionCase failing = ReplayFixtures.ring(1, 4, FaultPlan.NONE).withForm(form);
    Shrinker.Result result = shrink(failing, when(c -> count(c.form(), Op.Signal.class) == 1));
    assertThat(FormPrinter.print(result.smallest().form()))
        .isEqualTo(
            """
            form nested
            signal S[4]
            lane main: sm(32) {
              signal S[0]@((r + 1) % n) set epoch + 0 release
            }
            """);
  }

  @Test
  void aShrunkTokenIsShort() {
    ExecutionCase failing = ReplayFixtures.ring(2, 4, THREE, 0, 3, 0, 1, 2);
    ExecutionCase least =
        shrink(failing, when(c -> c.choices().deviations().size() >= 1)).smallest();
    assertThat(least.token("random", 1).toString()).hasSizeLessThan(80);
    assertThat(ReplayToken.parse(least.token("random", 1).toString()).of(least.form()))
        .isEqualTo(least);
  }

  @Test
  void constantsOfAFormShrinkWithItsParameters() {
    ExecutionCase failing = ReplayFixtures.ring(1, 2, FaultPlan.NONE);
    Form ring = ShippedPrograms.form("ring_send_recv");
    Shrinker.Result result =
        shrink(failing, when(c -> RewriteSite.of(c.form()).size() == RewriteSite.of(ring).size()));
    assertThat(FormConstants.sum(result.smallest().form()))
        .isLessThan(FormConstants.sum(ring) / 50);
  }
}
