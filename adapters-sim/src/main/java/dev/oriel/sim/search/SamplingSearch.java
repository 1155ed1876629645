package dev.oriel.sim.search;

import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.finding.Finding;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * Executes one schedule repeatedly, until something is found or the number of executions is
 * reached.
 */
final class SamplingSearch {
  private final Simulation simulation;
  private final ExecutionSchedule schedule;
  private final long maxSteps;

  long executions;
  long steps;

  /** Whether an execution did not complete, and whether the reason was the limit of steps. */
  boolean cut;

  boolean exhausted;

  /** The number of the last execution. */
  long number;

  SamplingSearch(Simulation simulation, ExecutionSchedule schedule, long maxSteps) {
    this.simulation = simulation;
    this.schedule = schedule;
    this.maxSteps = maxSteps;
  }

  /** Runs the executions with those numbers, up to the first that fails. */
  Optional<Finding> run(Supplier<LongStream> numbers) {
    return simulation.exploring(() -> {
      executions = 0;
      steps = 0;
      cut = false;
      exhausted = false;
      PrimitiveIterator.OfLong next = numbers.get().iterator();
      Optional<Finding> finding = Optional.empty();
      while (finding.isEmpty() && next.hasNext()) {
        executions++;
        finding = one(next.nextLong());
      }
      return finding;
    });
  }

  /** Runs the execution with that number. */
  Optional<Finding> one(long which) {
    number = which;
    schedule.begin(which);
    simulation.restart();
    long end = steps + maxSteps;
    while (steps < end) {
      int enabled = simulation.enabled();
      if (enabled == 0) {
        if (!simulation.goesOn()) {
          return simulation.end();
        }
        enabled = simulation.enabled();
      }
      steps++;
      Optional<Finding> found = simulation.step(schedule.next(simulation, enabled), schedule);
      if (found.isPresent()) {
        return found;
      }
      if (simulation.endless()) {
        cut = true;
        return Optional.empty();
      }
    }
    cut = true;
    exhausted = true;
    return Optional.empty();
  }
}
