package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Explores, depth first, every execution of lanes whose code cannot be saved. Each execution
 * restarts and repeats the decisions up to the point at which it departs from the previous one.
 *
 * <p>A state is the machine's state with all answers to the code so far, since those determine the
 * code's next calls. Each state is expanded once. At the level of synchronisation, steps whose
 * outcome does not depend on when they are taken are taken at once, as in {@link SystematicSearch}.
 */
final class RestartingSearch implements ExhaustiveSearch {
  /** The cost of one step of code, in words of state. */
  private static final long STEP = 1_000;

  private final Simulation simulation;
  private final DecisionLevel level;
  private final Budget budget;
  private final Predicate<Optional<Finding>> end;
  private final Fingerprint fingerprint = new Fingerprint();
  private DecisionOdometer decisions = new DecisionOdometer();
  private VisitedStates seen;
  private long executions;
  private long steps;
  private long work;
  private BooleanSupplier over = () -> false;
  private @Nullable SearchLimit cut;

  RestartingSearch(
      Simulation simulation, boolean full, Budget budget, Predicate<Optional<Finding>> end) {
    this.simulation = simulation;
    this.level = full ? DecisionLevel.FULL : DecisionLevel.SYNCHRONISATION;
    this.budget = budget;
    this.end = end;
    this.seen = new VisitedStates(budget.states());
  }

  @Override
  public void run() {
    over = budget.time().begin();
    simulation.exploring(() -> {
      decisions = new DecisionOdometer();
      seen = new VisitedStates(budget.states());
      executions = 0;
      steps = 0;
      work = 0;
      cut = null;
      boolean on = true;
      while (on) {
        on = one() && decisions.advance();
        SearchLimit limit = on ? limit() : null;
        if (limit != null) {
          cut = limit;
          on = false;
        }
      }
      return true;
    });
  }

  private @Nullable SearchLimit limit() {
    if (over.getAsBoolean()) {
      return SearchLimit.TIME;
    }
    if (seen.full()) {
      return SearchLimit.STATES;
    }
    if (seen.footprint() > budget.memory()) {
      return SearchLimit.MEMORY;
    }
    return work > budget.work() ? SearchLimit.WORK : null;
  }

  /**
   * Runs one execution from the start to its end, or to a state already visited. Returns whether to
   * continue.
   */
  private boolean one() {
    simulation.restart();
    decisions.begin();
    work += simulation.size();
    long taken = 0;
    while (taken++ < budget.steps()) {
      int enabled = simulation.enabled();
      if (enabled == 0) {
        if (!simulation.goesOn()) {
          return ended(simulation.end());
        }
        enabled = simulation.enabled();
      }
      int agent = level.settled(simulation, enabled);
      boolean settled = agent >= 0;
      if (!settled) {
        if (decisions.anew() && !isNew()) {
          return true;
        }
        agent = simulation.enabledAt(decisions.choose(enabled));
      }
      steps++;
      work += STEP;
      Optional<Finding> found = simulation.step(agent, settled ? options -> 0 : decisions);
      if (found.isPresent()) {
        return ended(found);
      }
      if (simulation.endless()) {
        cut = SearchLimit.ENDLESS;
        return true;
      }
    }
    cut = SearchLimit.WORK;
    return true;
  }

  private boolean isNew() {
    fingerprint.clear();
    simulation.digest(fingerprint);
    work += simulation.size();
    return seen.add(fingerprint.high(), fingerprint.low());
  }

  private boolean ended(Optional<Finding> finding) {
    executions++;
    return end.test(finding);
  }

  @Override
  public long executions() {
    return executions;
  }

  @Override
  public long states() {
    return seen.count();
  }

  @Override
  public long steps() {
    return steps;
  }

  @Override
  public Optional<SearchLimit> cut() {
    return Optional.ofNullable(cut);
  }

  @Override
  public int[] path() {
    DecisionPath path = new DecisionPath();
    decisions.copyTo(path);
    return path.toArray();
  }
}
