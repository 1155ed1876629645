package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.FaultPlan;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Draws a few long executions where no argument covers all launches. So a mistake of every seventh
 * launch, or of a counter that passes 100, is found although few orders are tried.
 *
 * <p>In the drawn executions no wait misses a value. Only a search of all orders decides whether a
 * wait that misses one lasts for ever, and that search is too large for so many launches. So one
 * more execution looks for the first launch with such a wait, and a search of that many launches
 * decides.
 *
 * @param launches of each execution; 0 if the steps do not suffice for more than were explored
 * @param failed the report of an execution that failed
 * @param steps of all executions
 */
record LaterLaunches(int launches, Optional<CheckReport> failed, long steps) {
  /** Counters, slots and words of 8 bits have been through all their values by then. */
  private static final int MOST = 300;

  private static final int EXECUTIONS = 2;

  /** Steps of one long execution, for each execution that the budget gives to a strategy. */
  private static final long STEPS = 2_000;

  /**
   * Draws them.
   *
   * @param report of the first launches, in which nothing was found
   */
  static LaterLaunches of(
      Program program,
      Topology topology,
      ExecutionSettings settings,
      Budget budget,
      long seed,
      CheckReport report) {
    long first = steps(report);
    if (first == 0) {
      first = new Checker(Strategy.FIFO, budget, seed, settings).explore(program, topology).steps();
    }
    long each = Math.max(1, first / settings.launches());
    int launches = (int) Math.min(MOST, STEPS * budget.executions() / each);
    if (launches <= settings.launches()) {
      return new LaterLaunches(0, Optional.empty(), 0);
    }
    Budget two =
        new Budget(
            EXECUTIONS,
            budget.states(),
            budget.steps(),
            budget.work(),
            budget.memory(),
            budget.time());
    ExecutionSettings waiting =
        settings.looking(settings.detectors().without(Finding.Kind.OVERWRITE));
    CheckReport drawn =
        new Checker(Strategy.RANDOM, two, seed, waiting.launches(launches))
            .explore(program, topology);
    if (drawn.found().isPresent() || !settings.detectors().finds(Finding.Kind.OVERWRITE)) {
      return new LaterLaunches(
          launches, Optional.of(drawn).filter(r -> r.found().isPresent()), drawn.steps());
    }
    return missing(program, topology, settings, two, seed, launches, drawn.steps());
  }

  /** The steps of the report's execution in the plainest order; 0 if it has none. */
  private static long steps(CheckReport report) {
    return report.parts().stream()
        .filter(part -> part.strategy() == Strategy.FIFO && part.executions() == 1)
        .mapToLong(CheckReport.Part::steps)
        .findFirst()
        .orElse(0);
  }

  /** Looks for the first launch in which a wait may miss its value, in one order. */
  private static LaterLaunches missing(
      Program program,
      Topology topology,
      ExecutionSettings settings,
      Budget budget,
      long seed,
      int launches,
      long before) {
    Simulation simulation =
        SimulationFactory.of(
            program,
            topology,
            SimulationFactory.lower(program, topology),
            settings.launches(launches),
            FaultPlan.NONE);
    SamplingSearch search =
        new SamplingSearch(simulation, new SeededSchedules.Fifo(), budget.steps());
    boolean misses = search.run(() -> LongStream.of(0)).isPresent();
    int launch = simulation.launch();
    simulation.release();
    // The checker also decides whether every wait ends nevertheless.
    Optional<CheckReport> failed =
        Optional.of(launch)
            .filter(_ -> misses)
            .map(last ->
                new Checker(Strategy.FIFO, budget, seed, settings.launches(last))
                    .explore(program, topology))
            .filter(report -> report.found().isPresent());
    return new LaterLaunches(launches, failed, before + search.steps);
  }
}
