package dev.oriel.sim.search;

import dev.oriel.sim.levels.LevelCount;
import dev.oriel.sim.levels.Levels;
import dev.oriel.sim.levels.NodeBlock;
import dev.oriel.sim.levels.SearchCluster;
import dev.oriel.sim.levels.SearchJob;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.replay.ChoiceScript;
import dev.oriel.sim.replay.ScriptedChoices;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Explores every order of every step level by level, on a cluster. It looks at the limits after
 * each level, so it may pass a limit by one level; all that a level came to is counted. Levels,
 * counts and the violation that it chooses follow from the program alone: each state is expanded
 * once, in whatever part, and of a level's violations the one with the least path counts.
 *
 * <p>One core confirms a violation, and looks for one where a limit stopped the levels: depth first
 * it may reach executions that are longer than all levels so far. It visits at most as many states
 * as the levels have, and in the second case {@link #MORE}.
 */
final class LevelSearch extends JointSearch {
  /** States that one core may visit after a limit. */
  private static final long MORE = Budget.DEFAULT.states();

  private final Simulation simulation;
  private final Budget budget;
  private final Place place;
  private boolean together;

  /**
   * Where to search.
   *
   * @param job the job that the workers are given; empty if no text expresses it
   */
  record Place(SearchCluster cluster, Optional<SearchJob> job) {}

  LevelSearch(Simulation simulation, Budget budget, Place place, Predicate<Optional<Finding>> end) {
    super(simulation, budget, end);
    this.simulation = simulation;
    this.budget = budget;
    this.place = place;
  }

  @Override
  boolean together() {
    return together;
  }

  @Override
  Budget confirming(Result joint) {
    return joint.equals(Result.NONE)
        ? budget
        : budget.reaching(Math.max(joint.violation().isPresent() ? joint.states() : 0, MORE));
  }

  @Override
  Result search(BooleanSupplier over) {
    Simulation sample = simulation.another();
    if (place.job().isEmpty() || !sample.versions(1)) {
      return Result.NONE;
    }
    together = true;
    SearchJob job = place.job().get();
    while (true) {
      try (Levels levels = place.cluster().levels(job)) {
        SearchLimit limit = advance(levels, over);
        LevelCount total = levels.total();
        if (total.rooms().isEmpty()) {
          return result(levels, limit);
        }
        if (total.rooms().equals(job.rooms())) {
          throw new AssertionError("a state has no room although rooms grew: " + job.rooms());
        }
        job = job.with(total.rooms());
      }
    }
  }

  /** Goes from level to level, until nothing is left, something ends it or a limit is reached. */
  private @Nullable SearchLimit advance(Levels levels, BooleanSupplier over) {
    while (levels.frontier() > 0 && levels.total().goesOn()) {
      SearchLimit limit = limit(levels, over);
      if (limit == null && levels.next(over).isEmpty()) {
        limit = SearchLimit.TIME;
      }
      if (limit != null) {
        levels.keep();
        return limit;
      }
    }
    if (levels.total().goesOn()) {
      // A check may make another search, which a limit stops: this one is not repeated then.
      levels.keep();
    }
    return null;
  }

  private @Nullable SearchLimit limit(Levels levels, BooleanSupplier over) {
    LevelCount total = levels.total();
    if (over.getAsBoolean()) {
      return SearchLimit.TIME;
    }
    if (total.states() >= budget.states()) {
      return SearchLimit.STATES;
    }
    if (levels.bytes() > budget.memory()) {
      return SearchLimit.MEMORY;
    }
    return total.work() > budget.work() || levels.depth() >= budget.steps()
        ? SearchLimit.WORK
        : null;
  }

  private Result result(Levels levels, @Nullable SearchLimit limit) {
    LevelCount total = levels.total();
    byte[] path = total.violation();
    return new Result(
        limit == null && path == null && !total.endless(),
        total.executions(),
        total.states(),
        total.steps(),
        total.endless() ? Optional.empty() : Optional.ofNullable(limit),
        Optional.ofNullable(path).map(this::violation),
        total.cuts());
  }

  /** The violation to which those decisions lead. */
  private Violation violation(byte[] path) {
    int[] decisions = NodeBlock.decisions(path);
    ChoiceScript script = ChoiceScript.of(decisions);
    ExecutionSchedule schedule =
        new ScriptedSchedule(() -> ScriptedChoices.strict(script), DecisionLevel.FULL);
    SamplingSearch repeated =
        new SamplingSearch(simulation.another(), schedule, Math.addExact(budget.steps(), 1));
    Finding finding =
        repeated
            .run(() -> LongStream.of(0))
            .orElseThrow(() -> new AssertionError("a violation was not found again"));
    return new Violation(finding, decisions);
  }
}
