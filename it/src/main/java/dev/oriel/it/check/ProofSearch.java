package dev.oriel.it.check;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Searches all combinations of a plan, each as thoroughly as the others, up to the first that
 * fails.
 */
final class ProofSearch {
  private final Checker checker;

  ProofSearch(Checker checker) {
    this.checker = checker;
  }

  Proof run(CombinationPlan plan) {
    List<CheckCoverage.CheckedCombination> checked = new ArrayList<>();
    boolean failed = false;
    for (Combination combination : plan.asked()) {
      if (!failed) {
        failed = fails(checked, combination);
      }
    }
    plan.imply();
    while (!failed && plan.hasMore()) {
      Optional<Combination> next = plan.take();
      if (next.isPresent()) {
        try {
          failed = fails(checked, next.get());
        } catch (IllegalArgumentException | MachineException e) {
          plan.refuse(next.get(), e);
        }
      }
    }
    return new Proof(new CheckCoverage(checked, plan.refused(), plan.left()));
  }

  private boolean fails(List<CheckCoverage.CheckedCombination> checked, Combination combination) {
    CheckReport report = checker.explore(combination.program(), combination.topology());
    checked.add(new CheckCoverage.CheckedCombination(combination, report));
    return report.found().isPresent();
  }
}
