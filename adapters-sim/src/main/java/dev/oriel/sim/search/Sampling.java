package dev.oriel.sim.search;

import dev.oriel.sim.machine.Finding;
import dev.oriel.sim.machine.Simulation;
import java.util.Optional;

/** Executes under one schedule, again and again, until something is found or enough was seen. */
final class Sampling {
  private final Simulation simulation;
  private final Schedule schedule;
  private final long maxSteps;

  long executions;
  long steps;
  boolean cut;
  private Optional<Finding> finding = Optional.empty();

  Sampling(Simulation simulation, Schedule schedule, long maxSteps) {
    this.simulation = simulation;
    this.schedule = schedule;
    this.maxSteps = maxSteps;
  }

  /** Up to that many executions; the number of the one that failed is {@code executions - 1}. */
  Optional<Finding> run(long max) {
    return simulation.exploring(() -> {
      executions = 0;
      steps = 0;
      finding = Optional.empty();
      while (executions < max && finding.isEmpty()) {
        finding = one(executions++);
      }
      return finding;
    });
  }

  /** The execution of that number. */
  Optional<Finding> one(long number) {
    schedule.begin(number);
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
        break;
      }
    }
    cut = true;
    return Optional.empty();
  }
}
