package dev.oriel.sim.machine;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.lowering.LoweredForm;
import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.code.WorldCode;
import dev.oriel.sim.machine.layout.StateCapacities;
import dev.oriel.sim.machine.settings.ExecutionSettings;

/** Machines with few clock components for unordered requests. */
public final class FewUnorderedComponents {
  private FewUnorderedComponents() {}

  /** A machine with that many components per queue. */
  public static Simulation of(
      Program program,
      Topology topology,
      LoweredForm lowered,
      ExecutionSettings settings,
      int ofQueue) {
    return new Simulation(
        new WorldCode(program, lowered), topology, settings, StateCapacities.ofUnordered(ofQueue));
  }
}
