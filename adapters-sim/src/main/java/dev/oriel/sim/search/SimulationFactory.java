package dev.oriel.sim.search;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.engine.EngineRequirements;
import dev.oriel.sim.machine.Simulation;
import dev.oriel.sim.machine.settings.ExecutionSettings;
import dev.oriel.sim.replay.FaultPlan;

/** Makes the machine for one program; no other class knows the settings that it takes. */
@FunctionalInterface
interface SimulationFactory {
  /** Machines that execute lowered programs. */
  SimulationFactory PROGRAMS =
      (program, topology, settings, faults) ->
          of(program, topology, lower(program, topology), settings, faults);

  /** A machine for that program. */
  Simulation of(Program program, Topology topology, ExecutionSettings settings, FaultPlan faults);

  static LoweredForm lower(Program program, Topology topology) {
    return EngineRequirements.lower(program, topology, topology.kinds());
  }

  /**
   * A machine that executes the program.
   *
   * @throws dev.oriel.sim.replay.ReplayException if a fault is of a rank that does not exist, or of
   *     a kind that no program can meet
   * @throws dev.oriel.ports.MachineException if it does not fit into memory
   */
  static Simulation of(
      Program program,
      Topology topology,
      LoweredForm lowered,
      ExecutionSettings settings,
      FaultPlan faults) {
    return guided(program, topology, lowered, settings, faults.requirePrograms());
  }

  /** The same for a guided machine, which may meet other faults. */
  static Simulation guided(
      Program program,
      Topology topology,
      LoweredForm lowered,
      ExecutionSettings settings,
      FaultPlan faults) {
    faults.requireWorld(topology.world());
    return MemoryGuard.made(
        () -> new Simulation(program, topology, lowered, settings.with(faults)));
  }
}
