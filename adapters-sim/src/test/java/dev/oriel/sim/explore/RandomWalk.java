package dev.oriel.sim.explore;

import dev.oriel.domain.binding.OutputCoverage;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.engine.Transition;
import dev.oriel.sim.engine.TransitionText;
import dev.oriel.sim.engine.WorldState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Runs a program many times; each step is drawn uniformly from the enabled ones. */
public final class RandomWalk implements ProgramRunner {
  /** The default number of steps after which a check stops. */
  public static final long MOST_STEPS = 5_000_000;

  private final long seed;
  private final int executions;
  private final int launches;
  private final long mostSteps;

  /** Draws everything from {@code seed}. */
  public RandomWalk(long seed, int executions, int launches) {
    this(seed, executions, launches, MOST_STEPS);
  }

  /** Draws everything from {@code seed} and takes at most that many steps, over all executions. */
  public RandomWalk(long seed, int executions, int launches, long mostSteps) {
    this.seed = seed;
    this.executions = executions;
    this.launches = launches;
    this.mostSteps = mostSteps;
  }

  @Override
  public Verdict check(Program program, Topology topology) {
    Search search = new Search(new Exploration(program, topology, launches));
    SplittableRandom random = new SplittableRandom(seed);
    long ended = 0;
    boolean through = true;
    while (ended < executions && through && search.violation.isEmpty()) {
      through = search.run(random.split());
      ended += through ? 1 : 0;
    }
    return new Verdict(
        program.digest(),
        search.exploration.lowered().digest(),
        Explorers.MODEL,
        "random seed=" + seed,
        launches,
        ended,
        0,
        through
            ? List.of("executions: " + ended + " drawn at random")
            : List.of(
                "executions: " + ended + " drawn at random", "steps: stopped at " + mostSteps),
        OutputCoverage.of(program),
        search.violation);
  }

  /** One check: its findings and its number of steps. */
  private final class Search {
    final Exploration exploration;
    Optional<Violation> violation = Optional.empty();
    long steps;

    Search(Exploration exploration) {
      this.exploration = exploration;
    }

    /** Follows one execution; whether it ended before the steps were used up. */
    boolean run(SplittableRandom random) {
      WorldState world = exploration.start();
      List<String> trace = new ArrayList<>();
      while (steps < mostSteps) {
        steps++;
        violation = exploration.settle(world, trace);
        if (violation.isPresent()) {
          return true;
        }
        List<Transition> enabled = exploration.enabled(world);
        if (enabled.isEmpty()) {
          violation = exploration.stuck(world, trace);
          return true;
        }
        Transition next = enabled.get(random.nextInt(enabled.size()));
        trace.add(TransitionText.of(next, world));
        next.apply(world);
      }
      return false;
    }
  }
}
