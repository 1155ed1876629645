package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.FormValidator;
import dev.oriel.domain.rewrite.RewriteSite;
import dev.oriel.domain.topology.WorldShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ShrinkerProperties {
  private static final int BUDGET = 400;

  @Provide
  Arbitrary<Form> forms() {
    return Arbitraries.integers()
        .between(0, 9_999)
        .list()
        .ofMinSize(30)
        .ofMaxSize(200)
        .map(FormTape::form);
  }

  @Provide
  Arbitrary<ExecutionCase> cases() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(2, 3),
            ReplayFixtures.plans(2),
            ReplayFixtures.scripts(),
            Arbitraries.of(ReplayFixtures.PROFILES))
        .as((hosts, gpus, plan, script, profile) ->
            ReplayFixtures.ring(hosts, gpus, plan).withChoices(script).withProfile(profile));
  }

  /** For any oracle, each accepted case is smaller than the one before. */
  @Property(tries = 40)
  void everyDescentIsStrictAndEnds(@ForAll("cases") ExecutionCase failing, @ForAll long seed) {
    RandomStream draws = RandomStream.of(seed);
    List<ExecutionCase> executed = new ArrayList<>();
    Shrinker.Oracle random =
        c -> {
          executed.add(c);
          return executed.size() == 1 || draws.below(3) == 0
              ? Optional.of(new ExecutionFailure("race", c.choices()))
              : Optional.empty();
        };
    Shrinker.Result result =
        new Shrinker(random, ReplayFixtures.PROFILES, BUDGET, false).shrink(failing);
    ShrinkingPasses passes = new ShrinkingPasses(ReplayFixtures.PROFILES, false);
    assertThat(passes.measure(result.smallest())).isLessThanOrEqualTo(passes.measure(failing));
    assertThat(executed).hasSize(result.executions()).hasSizeLessThanOrEqualTo(BUDGET);
    assertThat(executed.subList(0, executed.size() - 1)).doesNotHaveDuplicates();
  }

  /** With a consistent oracle no candidate of any pass is smaller and fails. */
  @Property(tries = 20)
  void theResultIsALocalMinimum(@ForAll("cases") ExecutionCase failing, @ForAll long seed) {
    Shrinker.Oracle honest =
        c ->
            c.equals(failing) || RandomStream.of(seed, c.hashCode()).below(4) == 0
                ? Optional.of(new ExecutionFailure("race", c.choices()))
                : Optional.empty();
    Shrinker.Result result =
        new Shrinker(honest, ReplayFixtures.PROFILES, 100_000, false).shrink(failing);
    assertThat(result.confirmed()).isTrue();
    ShrinkingPasses passes = new ShrinkingPasses(ReplayFixtures.PROFILES, false);
    CaseSize least = passes.measure(result.smallest());
    for (ShrinkingPasses.Pass pass : passes.inOrder()) {
      assertThat(pass.candidates().apply(result.smallest()))
          .noneMatch(
              c -> passes.measure(c).compareTo(least) < 0 && binds(c) && honest.run(c).isPresent());
    }
  }

  @Property(tries = 100)
  void cutsOfAnyFormAreSmaller(@ForAll("forms") Form form) {
    SmallerForms.smaller(form)
        .limit(500)
        .forEach(cut -> assertThat(SmallerForms.size(cut)).isLessThan(SmallerForms.size(form)));
    FormConstants.smaller(form)
        .limit(500)
        .forEach(
            cut -> assertThat(FormConstants.sum(cut)).isLessThanOrEqualTo(FormConstants.sum(form)));
  }

  @Property(tries = 100)
  void cutsOfAnyFormCanBeJudged(@ForAll("forms") Form form) {
    ExecutionCase any =
        new ExecutionCase(
            form,
            new WorldShape(1, 2),
            Map.of(),
            1,
            TimeoutPolicy.ANY,
            FaultPlan.NONE,
            ChoiceScript.DEFAULT,
            "l0");
    SmallerForms.smaller(form).limit(200).map(any::withForm).forEach(ShrinkerProperties::binds);
    assertThat(RewriteSite.of(FormValidator.validate(form))).hasSizeLessThan(10_000);
  }

  private static boolean binds(ExecutionCase c) {
    try {
      c.program();
      return true;
    } catch (ProgramException e) {
      return false;
    }
  }
}
