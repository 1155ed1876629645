package dev.oriel.ports.setup;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.MachineException;

/** Refuses a program that is bound to another number of ranks than there are. */
public final class SameWorld {
  private SameWorld() {}

  /** Of the topology that it is to run on. */
  public static void require(Program program, Topology topology) {
    require(program.world(), "topology", topology.world());
  }

  /** Of the group that is to run it. */
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
