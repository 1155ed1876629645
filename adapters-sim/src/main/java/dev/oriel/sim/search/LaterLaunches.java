package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.finding.Finding;
import dev.oriel.sim.machine.terms.ExecutionSettings;

/**
 * Draws a few long executions where no argument covers all launches. So a mistake of every seventh
 * launch, or of a counter that passes 100, is found although few orders are tried.
 *
 * <p>No wait misses a value here. Only a search of all orders decides whether a wait that misses
 * one lasts for ever, and that search is too large for so many launches.
 *
 * @param launches of each execution; 0 if the steps do not suffice for more than were explored
 * @param report of the executions
 */
record LaterLaunches(int launches, CheckReport report) {
  /** Counters, slots and words of 8 bits have been through all their values by then. */
  private static final int MOST = 300;

  private static final int EXECUTIONS = 2;

  /** Steps of one long execution, for each execution that the budget gives to a strategy. */
  private static final long STEPS = 200;

  static LaterLaunches of(
      Program program, Topology topology, ExecutionSettings terms, Budget budget, long seed) {
    ExecutionSettings waiting = terms.looking(terms.detectors().without(Finding.Kind.OVERWRITE));
    CheckReport few = new Checker(Strategy.FIFO, budget, seed, waiting).explore(program, topology);
    long each = Math.max(1, few.steps() / terms.launches());
    int launches = (int) Math.min(MOST, STEPS * budget.executions() / each);
    if (few.found().isPresent() || launches <= terms.launches()) {
      return new LaterLaunches(0, few);
    }
    Budget two =
        new Budget(EXECUTIONS, budget.states(), budget.steps(), budget.work(), budget.memory());
    return new LaterLaunches(
        launches,
        new Checker(Strategy.RANDOM, two, seed, waiting.launches(launches))
            .explore(program, topology));
  }
}
