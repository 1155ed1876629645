package dev.oriel.it.check;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.search.AnyLaunches;
import dev.oriel.sim.search.CheckReport;
import dev.oriel.sim.search.Checker;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks one combination after another, up to the first that fails. Requested combinations are
 * checked as thoroughly as options say, the others with less work, and as many of them as a fixed
 * effort allows. Effort is counted in steps and bytes, never in time, so every machine checks the
 * same combinations.
 */
final class CombinationSearch {
  /** The total effort for combinations that were not requested: some seconds of one processor. */
  private static final long EFFORT = 3_000_000;

  /** Of a sample that may be refused. */
  private static final long SAMPLE = 1_000;

  /** Of a combination, however short its executions are: it is bound, lowered and set up. */
  private static final long COMBINATION = 20_000;

  /** The effort for combinations that are executed once, and for those that a search left out. */
  private static final long SAMPLING = 2_000_000;

  /** The effort for further launches, in that for combinations that are executed once. */
  private static final long LAUNCHES = 4;

  private static final long STEP = 10;

  /** Bytes set up and judged that count as a tenth of a step's effort. */
  private static final long BYTES = 100;

  private final Optional<Checker> deciding;
  private final Checker asked;
  private final Optional<Checker> exhaustive;
  private final Optional<Checker> longer;
  private final Checker others;
  private final Optional<Checker> brief;
  private final long most;
  private final long sampling;
  private long effort;

  /**
   * A search by these checkers.
   *
   * @param deciding tries requested combinations first. If one execution covers all others, no more
   *     are made
   * @param exhaustive tries the combinations that were not requested. Where it covers every order,
   *     no executions are drawn, and the effort goes to more combinations
   * @param longer draws executions of more launches, in combinations of the first size for which
   *     not any number of launches is covered
   * @param brief executes combinations of many worlds and sizes once, at the end
   * @param factor multiplies the effort for combinations that were not requested
   */
  CombinationSearch(
      Optional<Checker> deciding,
      Checker asked,
      Optional<Checker> exhaustive,
      Optional<Checker> longer,
      Checker others,
      Optional<Checker> brief,
      int factor) {
    this(deciding, asked, exhaustive, longer, others, brief, factor * EFFORT, factor * SAMPLING);
  }

  private CombinationSearch(
      Optional<Checker> deciding,
      Checker asked,
      Optional<Checker> exhaustive,
      Optional<Checker> longer,
      Checker others,
      Optional<Checker> brief,
      long most,
      long sampling) {
    this.deciding = deciding;
    this.asked = asked;
    this.exhaustive = exhaustive;
    this.longer = longer;
    this.others = others;
    this.brief = brief;
    this.most = most;
    this.sampling = sampling;
  }

  /** Checks every combination of a plan, however much effort it takes; then the usual samples. */
  static CombinationSearch all(Checker checker, Checker brief) {
    return new CombinationSearch(
        Optional.empty(),
        checker,
        Optional.empty(),
        Optional.empty(),
        checker,
        Optional.of(brief),
        Long.MAX_VALUE,
        SAMPLING);
  }

  CheckCoverage run(CombinationPlan plan) {
    List<CheckCoverage.CheckedCombination> checked = new ArrayList<>();
    effort = 0;
    for (Combination combination : plan.asked()) {
      if (decides(checked, combination) ? found(checked) : fails(checked, combination, asked)) {
        return coverage(plan, checked, CheckCoverage.Sampling.NONE);
      }
    }
    plan.imply();
    while (plan.hasMore() && effort < most) {
      Optional<Combination> next = plan.take();
      if (next.isEmpty()) {
        continue;
      }
      Combination combination = next.get();
      try {
        CheckReport report = explored(combination);
        checked.add(new CheckCoverage.CheckedCombination(combination, report, false));
        if (report.found().isPresent()) {
          break;
        }
      } catch (IllegalArgumentException | MachineException e) {
        plan.refuse(combination, e);
      }
    }
    if (!found(checked) && longer.isPresent()) {
      goOn(plan.asked().getFirst(), checked, longer.get());
    }
    CheckCoverage.Sampling sampled =
        found(checked)
            ? CheckCoverage.Sampling.NONE
            : brief.map(once -> sampled(plan, checked, once)).orElse(CheckCoverage.Sampling.NONE);
    return coverage(plan, checked, sampled);
  }

  /**
   * Executes more launches of the first size in other worlds: a counter with a small modulus, or a
   * number of ranks, may need them. A combination that fails comes last.
   */
  private void goOn(
      Combination first, List<CheckCoverage.CheckedCombination> checked, Checker checker) {
    int most =
        checked.stream().mapToInt(CheckCoverage.CheckedCombination::drawnLaunches).max().orElse(0);
    effort = 0;
    for (int i = 0; i < checked.size() && effort < LAUNCHES * sampling; i++) {
      CheckCoverage.CheckedCombination one = checked.get(i);
      boolean open = !one.report().closed() && one.drawnLaunches() < most;
      if (open && one.combination().program().params().equals(first.program().params())) {
        Combination combination = one.combination();
        CheckReport report =
            checker.longer(combination.program(), combination.topology(), one.report());
        var more = new CheckCoverage.CheckedCombination(combination, report, false);
        effort +=
            STEP * (furtherSteps(report) - furtherSteps(one.report()))
                + more.drawnLaunches() * (combination.work() / BYTES);
        checked.set(i, more);
        if (report.found().isPresent()) {
          checked.add(checked.remove(i));
          return;
        }
      }
    }
  }

  private static CheckCoverage coverage(
      CombinationPlan plan,
      List<CheckCoverage.CheckedCombination> checked,
      CheckCoverage.Sampling sampled) {
    return new CheckCoverage(checked, plan.refused(), plan.left(), plan.unsearched(), sampled);
  }

  /**
   * Executes other combinations once: those that the text implies in other worlds, samples, then
   * implied ones that the search left out, and sizes that are too large to search. One that fails
   * is added to the checked ones.
   */
  private CheckCoverage.Sampling sampled(
      CombinationPlan plan, List<CheckCoverage.CheckedCombination> checked, Checker once) {
    CheckCoverage.Sampling made = CheckCoverage.Sampling.NONE;
    List<Supplier<List<Candidate>>> sources = List.of(plan::afar, plan::samples, plan::leftOut);
    for (Supplier<List<Candidate>> source : sources) {
      if (!found(checked)) {
        made = executed(plan, source.get(), plan::sampled, checked, once, made);
      }
    }
    return found(checked)
        ? made
        : executed(plan, plan.largeSizes(), plan::sampledLarge, checked, once, made);
  }

  private CheckCoverage.Sampling executed(
      CombinationPlan plan,
      List<Candidate> samples,
      Function<Candidate, Optional<Combination>> binding,
      List<CheckCoverage.CheckedCombination> checked,
      Checker once,
      CheckCoverage.Sampling before) {
    Set<String> known = new HashSet<>();
    checked.forEach(one -> known.add(one.combination().words()));
    before.executed().forEach(one -> known.add(one.words()));
    CheckCoverage.Sampling made = before;
    effort = 0;
    Iterator<Candidate> rest = samples.iterator();
    while (rest.hasNext() && effort < sampling) {
      effort += SAMPLE;
      Candidate candidate = rest.next();
      Optional<Combination> next = binding.apply(candidate);
      if (next.isEmpty()) {
        continue;
      }
      if (!known.add(next.get().words())) {
        plan.settle(candidate);
        continue;
      }
      try {
        CheckReport report = explored(next.get(), once);
        if (report.found().isPresent()) {
          checked.add(new CheckCoverage.CheckedCombination(next.get(), report, false));
          return CheckCoverage.Sampling.NONE;
        }
        if (report.ended()) {
          plan.settle(candidate);
          made = made.plus(next.get());
        }
      } catch (IllegalArgumentException | MachineException e) {
        plan.settle(candidate);
        plan.refuse(next.get(), e);
      }
    }
    return made;
  }

  /** Whether one execution decided the combination, which was then added. */
  private boolean decides(List<CheckCoverage.CheckedCombination> checked, Combination combination) {
    Optional<CheckReport> report =
        deciding
            .map(checker -> checker.explore(combination.program(), combination.topology()))
            .filter(CombinationSearch::decided);
    report.ifPresent(
        of -> checked.add(new CheckCoverage.CheckedCombination(combination, of, true)));
    return report.isPresent();
  }

  /** No choice was open, or the only execution up to the first choice fails. */
  private static boolean decided(CheckReport report) {
    CheckReport.Part part = report.parts().getFirst();
    return part.states() == 0
        && part.executions() == 1
        && (report.found().isPresent() || ExplorationSummary.complete(report));
  }

  private static boolean found(List<CheckCoverage.CheckedCombination> checked) {
    return checked.getLast().report().found().isPresent();
  }

  private static boolean fails(
      List<CheckCoverage.CheckedCombination> checked, Combination combination, Checker checker) {
    CheckReport report = checker.explore(combination.program(), combination.topology());
    checked.add(new CheckCoverage.CheckedCombination(combination, report, false));
    return found(checked);
  }

  private CheckReport explored(Combination combination) {
    return exhaustive
        .map(checker -> explored(combination, checker))
        .filter(report -> report.found().isPresent() || report.verdict().bounds().isEmpty())
        .orElseGet(() -> explored(combination, others));
  }

  private static long furtherSteps(CheckReport report) {
    return report.anyLaunches().map(AnyLaunches::steps).orElse(0L);
  }

  private CheckReport explored(Combination combination, Checker checker) {
    CheckReport report = checker.explore(combination.program(), combination.topology());
    effort +=
        COMBINATION
            + STEP * (report.steps() + furtherSteps(report))
            + report.verdict().executions() * (combination.work() / BYTES);
    return report;
  }
}
