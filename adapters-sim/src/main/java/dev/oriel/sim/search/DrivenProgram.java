package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.FaultPlan;
import java.util.function.Function;

/**
 * A program whose lanes execute one call at a time, and the guide that chooses the calls.
 *
 * @param program the memory of every rank; the lanes execute {@code lowered} instead
 * @param guide makes the guide of a machine
 */
public record DrivenProgram(
    Program program, LoweredForm lowered, Function<Simulation, LaneDriver> guide)
    implements SimulationFactory {

  @Override
  public Simulation of(
      Program bound, Topology topology, ExecutionSettings settings, FaultPlan faults) {
    Simulation simulation = SimulationFactory.guided(bound, topology, lowered, settings, faults);
    simulation.guide(guide.apply(simulation));
    return simulation;
  }
}
