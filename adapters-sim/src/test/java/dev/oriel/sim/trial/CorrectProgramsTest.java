package dev.oriel.sim.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Verdict;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Checker;
import dev.oriel.sim.search.Strategy;
import dev.oriel.sim.trial.CorrectPrograms.Correct;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Correct programs have no findings: a finding here is a defect of the detector. */
class CorrectProgramsTest {
  private static final List<Profile> PROFILES =
      List.of(Profile.L1, Profile.L2, Profile.L3, Profile.RDMA_STRICT);

  /** Enough for every program of the library. */
  private static final Budget BUDGET = new Budget(20, 200_000, 100_000, 2_000_000_000);

  /**
   * A search of every order of every step, which only small worlds allow: bounded, and reported so.
   */
  private static final Budget FULL = new Budget(1, 20_000, 100_000, 200_000_000);

  static List<Correct> programs() {
    return CorrectPrograms.all();
  }

  private static void holds(Correct program, String world, Profile profile, Strategy strategy) {
    Topology topology = Topology.parse(world);
    Budget budget = strategy == Strategy.FULL ? FULL : BUDGET;
    Verdict verdict =
        new Checker(strategy, budget, 1, Checker.strict(profile, 3))
            .check(program.bind(topology), topology);
    String what = "%s %s %s %s".formatted(program, world, profile.name(), strategy);
    assertThat(verdict.violation()).as(what).isEmpty();
    if (strategy == Strategy.SYNCHRONISATION) {
      assertThat(verdict.bounds()).as(what).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void holdsInEveryOrderOfSynchronisation(Correct program) {
    for (String world : program.worlds()) {
      for (Profile profile : PROFILES) {
        holds(program, world, profile, Strategy.SYNCHRONISATION);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  @EnabledIfSystemProperty(named = "oriel.kill", matches = "full")
  void holdsInEveryOrderOfTwoRanksWithinTheBudget(Correct program) {
    for (String world : program.worlds().stream().filter(w -> "1x2 2x1".contains(w)).toList()) {
      for (Profile profile : PROFILES) {
        holds(program, world, profile, Strategy.FULL);
      }
    }
  }
}
