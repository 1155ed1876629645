package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.sim.machine.settings.Profile;

/** The kinds of links and the memory layers under which contracts are run. */
enum Shape {
  ORDERED,
  ONE_HOST,
  ONE_GPU_PER_HOST,
  ADVERSARIAL,
  /** As {@link #ONE_GPU_PER_HOST}, with host threads that post requests. */
  PROXIED,
  /** Even ranks share a host, odd ones have a host each. */
  MIXED;

  private Profile profile() {
    return switch (this) {
      case ORDERED -> Profile.L0;
      case ONE_HOST, ONE_GPU_PER_HOST, MIXED -> Profile.L2;
      case ADVERSARIAL -> Profile.L3;
      case PROXIED -> Profile.parse("L2,proxy=1");
    };
  }

  Topology topology(int world) {
    return switch (this) {
      case ORDERED, ONE_HOST -> Topology.grid(1, world);
      case ONE_GPU_PER_HOST, ADVERSARIAL, PROXIED -> Topology.grid(world, 1);
      case MIXED -> LiveWorld.mixed(world);
    };
  }

  /** Whether all memory is mapped. */
  boolean mapped() {
    return this == ORDERED || this == ONE_HOST;
  }

  /** Worlds of this shape whose ranks have that much memory. */
  LiveWorlds worlds(RankArena arena) {
    return new LiveWorlds(profile(), arena);
  }
}
