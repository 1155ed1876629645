package dev.oriel.sim.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.program.Form;
import dev.oriel.domain.program.FormTape;
import dev.oriel.domain.program.ProgramException;
import dev.oriel.domain.program.check.Validator;
import dev.oriel.domain.rewrite.Spot;
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
  Arbitrary<Case> cases() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(2, 3),
            Cases.plans(2),
            Cases.scripts(),
            Arbitraries.of(Cases.PROFILES))
        .as((hosts, gpus, plan, script, profile) ->
            Cases.ring(hosts, gpus, plan).withChoices(script).withProfile(profile));
  }

  /** For any oracle, each accepted case is smaller than the one before. */
  @Property(tries = 40)
  void everyDescentIsStrictAndEnds(@ForAll("cases") Case failing, @ForAll long seed) {
    Draws draws = Draws.of(seed);
    List<Case> executed = new ArrayList<>();
    Shrinker.Oracle random =
        c -> {
          executed.add(c);
          return executed.size() == 1 || draws.below(3) == 0
              ? Optional.of(new Failure("race", c.choices()))
              : Optional.empty();
        };
    Shrinker.Result result = new Shrinker(random, Cases.PROFILES, BUDGET, false).shrink(failing);
    Passes passes = new Passes(Cases.PROFILES, false);
    assertThat(passes.measure(result.smallest())).isLessThanOrEqualTo(passes.measure(failing));
    assertThat(executed).hasSize(result.executions()).hasSizeLessThanOrEqualTo(BUDGET);
    assertThat(executed.subList(0, executed.size() - 1)).doesNotHaveDuplicates();
  }

  /** With a consistent oracle no candidate of any pass is smaller and fails. */
  @Property(tries = 20)
  void theResultIsALocalMinimum(@ForAll("cases") Case failing, @ForAll long seed) {
    Shrinker.Oracle honest =
        c ->
            c.equals(failing) || Draws.of(seed, c.hashCode()).below(4) == 0
                ? Optional.of(new Failure("race", c.choices()))
                : Optional.empty();
    Shrinker.Result result = new Shrinker(honest, Cases.PROFILES, 100_000, false).shrink(failing);
    assertThat(result.confirmed()).isTrue();
    Passes passes = new Passes(Cases.PROFILES, false);
    Measure least = passes.measure(result.smallest());
    for (Passes.Pass pass : passes.inOrder()) {
      assertThat(pass.candidates().apply(result.smallest()))
          .noneMatch(
              c -> passes.measure(c).compareTo(least) < 0 && binds(c) && honest.run(c).isPresent());
    }
  }

  @Property(tries = 100)
  void cutsOfAnyFormAreSmaller(@ForAll("forms") Form form) {
    FormCuts.smaller(form)
        .limit(500)
        .forEach(cut -> assertThat(FormCuts.size(cut)).isLessThan(FormCuts.size(form)));
    Constants.smaller(form)
        .limit(500)
        .forEach(cut -> assertThat(Constants.sum(cut)).isLessThanOrEqualTo(Constants.sum(form)));
  }

  @Property(tries = 100)
  void cutsOfAnyFormCanBeJudged(@ForAll("forms") Form form) {
    Case any =
        new Case(
            form,
            new WorldShape(1, 2),
            Map.of(),
            1,
            Timeouts.ANY,
            FaultPlan.NONE,
            Script.DEFAULT,
            "l0");
    FormCuts.smaller(form).limit(200).map(any::withForm).forEach(ShrinkerProperties::binds);
    assertThat(Spot.of(Validator.validate(form))).hasSizeLessThan(10_000);
  }

  private static boolean binds(Case c) {
    try {
      c.program();
      return true;
    } catch (ProgramException e) {
      return false;
    }
  }
}
