package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.ProgramRunner;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Verdict.Violation;
import dev.oriel.sim.engine.Requirements;
import dev.oriel.sim.machine.Detectors;
import dev.oriel.sim.machine.Finding;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.replay.Timeouts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges programs by one strategy under one profile. */
public final class Checker implements ProgramRunner {
  private final Strategy strategy;
  private final Budget budget;
  private final long seed;
  private final Simulation.Terms terms;

  public Checker(Strategy strategy, Budget budget, long seed, Simulation.Terms terms) {
    this.strategy = strategy;
    this.budget = budget;
    this.seed = seed;
    this.terms = terms;
  }

  /** Every check on, no timeouts. */
  public static Simulation.Terms strict(Profile profile, int launches) {
    return new Simulation.Terms(profile, launches, Detectors.ALL, Timeouts.NEVER);
  }

  /** What one strategy came to. */
  private record Part(
      long executions,
      long states,
      List<String> bounds,
      Optional<Finding> finding,
      Schedule again) {}

  @Override
  public Verdict check(Program program, Topology topology) {
    return check(program, topology, Requirements.lower(program, topology, topology.kinds()));
  }

  /** Judges steps that are not the ones that the program is lowered to. */
  public Verdict check(Program program, Topology topology, LoweredForm lowered) {
    Simulation simulation = new Simulation(program, topology, lowered, terms);
    List<String> bounds = new ArrayList<>();
    long executions = 0;
    long states = 0;
    Optional<Violation> violation = Optional.empty();
    List<String> found = new ArrayList<>();
    for (Strategy part : parts()) {
      Part result = part(simulation, part);
      executions += result.executions();
      states += result.states();
      bounds.addAll(result.bounds());
      found.add(part.spelling() + "=" + result.executions());
      if (result.finding().isPresent()) {
        violation = Optional.of(explain(simulation, result));
        break;
      }
    }
    String name = found.size() == 1 ? strategy.spelling() : String.join(", ", found);
    return new Verdict(
        program.digest(),
        lowered.digest(),
        model(),
        name,
        terms.launches(),
        executions,
        states,
        List.copyOf(bounds),
        violation);
  }

  private String model() {
    Profile p = terms.profile();
    return "profile=%s, visibility=%s, granule=8, timeouts=%s, races=%s, threads per lane modelled=2"
        .formatted(
            p.name(),
            p.visibility().name().toLowerCase(java.util.Locale.ROOT),
            terms.timeouts().name().toLowerCase(java.util.Locale.ROOT),
            terms.detectors().races() ? "found" : "allowed");
  }

  private List<Strategy> parts() {
    return strategy == Strategy.PORTFOLIO
        ? List.of(
            Strategy.FIFO, Strategy.SYNCHRONISATION, Strategy.RANDOM, Strategy.PCT, Strategy.POS)
        : List.of(strategy);
  }

  private Part part(Simulation simulation, Strategy part) {
    return switch (part) {
      case FIFO -> sample(simulation, new Schedules.Fifo(), 1);
      case RANDOM -> sample(simulation, new Schedules.Random(seed), budget.executions());
      case POS -> sample(simulation, new Schedules.Pos(seed), budget.executions());
      case PCT -> pct(simulation);
      case SYNCHRONISATION -> systematic(simulation, false);
      case FULL -> systematic(simulation, true);
      case PORTFOLIO -> throw new AssertionError("a portfolio is made of others");
    };
  }

  private Part pct(Simulation simulation) {
    Sampling first = new Sampling(simulation, new Schedules.Fifo(), budget.steps());
    first.run(1);
    long executions = 0;
    Part part = null;
    for (int depth = 1; depth <= 4; depth++) {
      Schedule schedule = new Schedules.Pct(seed, depth, (int) first.steps);
      part = sample(simulation, schedule, Math.max(1, budget.executions() / 4));
      executions += part.executions();
      if (part.finding().isPresent()) {
        break;
      }
    }
    return new Part(executions, 0, part.bounds(), part.finding(), part.again());
  }

  private Part sample(Simulation simulation, Schedule schedule, long max) {
    Sampling sampling = new Sampling(simulation, schedule, budget.steps());
    Optional<Finding> finding = sampling.run(max);
    List<String> bounds = new ArrayList<>();
    if (sampling.cut) {
      bounds.add("steps: an execution stopped at " + budget.steps());
    }
    long last = sampling.executions - 1;
    return new Part(sampling.executions, 0, bounds, finding, new Fixed(schedule, last));
  }

  private Part systematic(Simulation simulation, boolean full) {
    List<Finding> found = new ArrayList<>();
    Systematic search =
        new Systematic(
            simulation,
            full,
            budget.states(),
            budget.steps(),
            budget.work(),
            finding -> {
              finding.ifPresent(found::add);
              return finding.isEmpty();
            });
    search.run();
    List<String> bounds = new ArrayList<>();
    if (search.cut) {
      bounds.add(
          "%s: stopped at states=%d, steps=%d"
              .formatted(full ? "full" : "synchronisation", search.states(), search.steps));
    }
    return new Part(
        search.executions,
        search.states(),
        bounds,
        found.isEmpty() ? Optional.empty() : Optional.of(found.getLast()),
        new Script(search.path(), full));
  }

  /** Runs the execution that failed once more, with everything written down. */
  private Violation explain(Simulation simulation, Part part) {
    Simulation.Story story =
        simulation.record(() -> new Sampling(simulation, part.again(), budget.steps()).one(0));
    Finding finding =
        story
            .finding()
            .orElseThrow(() ->
                new AssertionError(
                    "an execution failed once and not again: " + part.finding().orElseThrow()));
    return new Violation(finding.kind().word(), finding.message(), story.lines());
  }

  /** One execution of a schedule, whatever number it is asked for. */
  private record Fixed(Schedule schedule, long number) implements Schedule {
    @Override
    public void begin(long execution) {
      schedule.begin(number);
    }

    @Override
    public int next(Simulation simulation, int enabled) {
      return schedule.next(simulation, enabled);
    }

    @Override
    public int choose(int options) {
      return schedule.choose(options);
    }
  }
}
