package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The results of executions of a program: findings, and the outcomes of executions without one. */
public final class Endings {
  public final Set<Finding.Kind> found = EnumSet.noneOf(Finding.Kind.class);
  public final Set<String> outcomes = new TreeSet<>();

  /** The messages of findings. */
  public final Set<String> messages = new TreeSet<>();

  public long executions;
  public boolean cut;

  /** Every execution, at the level of synchronisation or in every order of every step. */
  public static Endings systematic(
      Simulation simulation, boolean full, Function<Simulation, String> outcome) {
    return systematic(simulation, full, 1_000_000, outcome);
  }

  /** The same, cut at that number of states. */
  public static Endings systematic(
      Simulation simulation, boolean full, int maxStates, Function<Simulation, String> outcome) {
    Endings endings = new Endings();
    ExhaustiveSearch search =
        ExhaustiveSearch.of(
            simulation,
            full,
            false,
            new Budget(1, maxStates, 100_000, Long.MAX_VALUE),
            f -> {
              endings.add(f, simulation, outcome);
              return true;
            });
    search.run();
    endings.executions = search.executions();
    endings.cut = search.cut().isPresent();
    return endings;
  }

  /** Every execution of a window of that width. */
  public static Endings windowed(
      Simulation simulation,
      WindowDelta delta,
      int maxStates,
      Function<Simulation, String> outcome) {
    Endings endings = new Endings();
    WindowTiming pace = new WindowTiming(WindowTiming.DEFAULT.links(), delta);
    WindowSearch search =
        new WindowSearch(simulation, pace, maxStates, f -> endings.add(f, simulation, outcome));
    search.run();
    endings.executions = search.executions;
    endings.cut = search.cut;
    return endings;
  }

  /** The execution in time order, run twice: nothing in it is random. */
  public static Endings timed(
      Simulation simulation, long seed, Function<Simulation, String> outcome) {
    Endings endings = new Endings();
    for (int i = 0; i < 2; i++) {
      ExecutionSchedule schedule =
          new TimeWindowSchedule(
              seed + i, new WindowTiming(WindowTiming.DEFAULT.links(), WindowDelta.NONE));
      Endings one = new Endings();
      simulation.exploring(() -> {
        one.add(new SamplingSearch(simulation, schedule, 1_000_000).one(seed), simulation, outcome);
        return true;
      });
      if (i > 0 && !(one.covers(endings) && endings.covers(one))) {
        throw new AssertionError("the order of time depends on the seed");
      }
      endings.found.addAll(one.found);
      endings.outcomes.addAll(one.outcomes);
    }
    return endings;
  }

  /** The number of executions of one sampling strategy until all of {@code all} occurred. */
  public static long saturate(
      Simulation simulation,
      Strategy strategy,
      WindowDelta delta,
      long seed,
      Endings all,
      long max,
      Function<Simulation, String> outcome) {
    ExecutionSchedule schedule =
        switch (strategy) {
          case RANDOM -> new SeededSchedules.Random(seed);
          case POS -> new SeededSchedules.Pos(seed);
          case PCT -> new SeededSchedules.Pct(seed, 4, 12);
          case WINDOW ->
              new TimeWindowSchedule(seed, new WindowTiming(WindowTiming.DEFAULT.links(), delta));
          default -> throw new AssertionError(strategy);
        };
    Endings met = new Endings();
    simulation.exploring(() -> {
      SamplingSearch sampling = new SamplingSearch(simulation, schedule, 1_000_000);
      while (met.executions < max && !met.covers(all)) {
        met.add(sampling.one(met.executions++), simulation, outcome);
      }
      return true;
    });
    if (!all.covers(met)) {
      throw new AssertionError(strategy + " met what nothing comes to: " + met.outcomes);
    }
    return met.covers(all) ? met.executions : Long.MAX_VALUE;
  }

  /** Whether all results of the other are also results here. */
  public boolean covers(Endings other) {
    return found.containsAll(other.found) && outcomes.containsAll(other.outcomes);
  }

  /** That many executions of each sampling schedule. */
  public static Endings sampled(
      Simulation simulation, long seed, int executions, Function<Simulation, String> outcome) {
    Endings endings = new Endings();
    ExecutionSchedule[] schedules = {
      new SeededSchedules.Random(seed),
      new SeededSchedules.Pos(seed),
      new SeededSchedules.Pct(seed, 2, 12),
      new SeededSchedules.Pct(seed, 4, 12)
    };
    simulation.exploring(() -> {
      for (ExecutionSchedule schedule : schedules) {
        SamplingSearch sampling = new SamplingSearch(simulation, schedule, 1_000_000);
        for (int i = 0; i < executions; i++) {
          endings.add(sampling.one(i), simulation, outcome);
          endings.executions++;
        }
        endings.cut |= sampling.cut;
      }
      return true;
    });
    return endings;
  }

  private void add(
      Optional<Finding> finding, Simulation simulation, Function<Simulation, String> outcome) {
    if (finding.isPresent()) {
      found.add(finding.get().kind());
      messages.add(finding.get().message());
    } else {
      outcomes.add(outcome.apply(simulation));
    }
  }
}
