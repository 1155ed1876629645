package dev.oriel.ports.setup;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;

/** Rejects a program that is bound to another number of ranks than its machine has. */
public final class WorldSizeCheck {
  private WorldSizeCheck() {}

  /** Checks against the topology that the program will run on. */
  public static void require(Program program, Topology topology) {
    require(program.world(), "topology", topology.world());
  }

  /** Checks against the group that will run it. */
  public static void require(int world, Bootstrap ranks) {
    require(world, "group", ranks.world());
  }

  private static void require(int program, String what, int world) {
    if (program != world) {
      throw new MachineException(
          "program and %s disagree: program=%d ranks, %s=%d ranks; bind the program to the %s's world"
              .formatted(what, program, what, world, what));
    }
  }
}
