package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import java.util.stream.LongStream;

/** Random executions of a correct program as a measure of work. */
public final class ThroughputWorkload {
  private final Simulation simulation;
  private final SamplingSearch sampling;
  private long done;

  public ThroughputWorkload(
      Program program, Topology topology, ExecutionSettings settings, long seed) {
    LoweredForm lowered = EngineRequirements.lower(program, topology, topology.kinds());
    simulation = new Simulation(program, topology, lowered, settings);
    simulation.repeat(Simulation.WARMING);
    ExecutionSchedule schedule = new SeededSchedules.Random(seed);
    sampling = new SamplingSearch(simulation, schedule, Budget.DEFAULT.steps());
  }

  /** Runs that many executions; none repeats an earlier one. */
  public void run(long executions) {
    long first = done;
    done += executions;
    sampling
        .run(() -> LongStream.range(first, first + executions))
        .ifPresent(finding -> {
          throw new MachineException("a program to measure with is broken: " + finding);
        });
  }

  /** Transitions of all runs that were recalled instead of executed. */
  public long recalled() {
    return simulation.recalled();
  }

  /** Transitions of the last run. */
  public long transitions() {
    return sampling.steps;
  }
}
