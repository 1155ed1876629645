package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.Profile;
import java.util.function.IntFunction;

/** The kinds of links and the memory layers under which contracts are run. */
enum Shape {
  ORDERED(Profile.L0, world -> Topology.grid(1, world)),
  ONE_HOST(Profile.L2, world -> Topology.grid(1, world)),
  ONE_GPU_PER_HOST(Profile.L2, world -> Topology.grid(world, 1)),
  ADVERSARIAL(Profile.L3, world -> Topology.grid(world, 1)),
  /** Even ranks share a host, odd ones have a host each. */
  MIXED(Profile.L2, LiveWorld::mixed);

  private final Profile profile;
  private final IntFunction<Topology> topology;

  Shape(Profile profile, IntFunction<Topology> topology) {
    this.profile = profile;
    this.topology = topology;
  }

  Topology topology(int world) {
    return topology.apply(world);
  }

  /** Whether all memory is mapped. */
  boolean mapped() {
    return this == ORDERED || this == ONE_HOST;
  }

  /** Worlds of this shape whose ranks have that much memory. */
  LiveWorlds worlds(Arena arena) {
    return new LiveWorlds(profile, arena);
  }
}
