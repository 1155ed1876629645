package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Optional;

/** The world that the ranks of one test join, under one memory layer. */
final class LiveWorlds {
  private final Profile profile;
  private final RankArena arena;
  private Optional<LiveWorld> world = Optional.empty();

  LiveWorlds(Profile profile, RankArena arena) {
    this.profile = profile;
    this.arena = arena;
  }

  synchronized void forget() {
    world = Optional.empty();
  }

  Communicator join(Bootstrap bootstrap, Topology topology) {
    return joined(topology).communicator(bootstrap, arena);
  }

  private synchronized LiveWorld joined(Topology topology) {
    if (world.isEmpty()) {
      world = Optional.of(new LiveWorld(profile, topology, arena));
    }
    world.get().join();
    return world.get();
  }

  /** Asserts that the machine found no violation in the code of the ranks. */
  void requireNothingWrong() throws Exception {
    if (world.isPresent()) {
      assertThat(world.get().violation()).isEmpty();
    }
  }
}
