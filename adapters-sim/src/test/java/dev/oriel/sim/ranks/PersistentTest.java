package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Window;
import dev.oriel.ports.contract.PersistentContract;
import dev.oriel.ports.persistent.CallStream;
import dev.oriel.ports.persistent.StepStream;
import dev.oriel.sim.machine.settings.Profile;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** Persistent calls over the windows of rank code, on several links and memory layers. */
class PersistentTest {
  private static final RankArena ARENA = new RankArena(1024, new RankArena.Slots(16, 8, 16));

  abstract static class Shape extends PersistentContract {
    private final Profile profile;
    private final IntFunction<Topology> shape;
    private Optional<LiveWorld> world = Optional.empty();

    Shape(Profile profile, IntFunction<Topology> shape) {
      this.profile = profile;
      this.shape = shape;
    }

    @Override
    protected CallStream stream(Window window, long id) {
      return new StepStream(id);
    }

    @Override
    protected Topology topology(int size) {
      return shape.apply(size);
    }

    @Override
    protected void newWorld() {
      world = Optional.empty();
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return joined(topology).communicator(bootstrap, ARENA);
    }

    private synchronized LiveWorld joined(Topology topology) {
      if (world.isEmpty()) {
        world = Optional.of(new LiveWorld(profile, topology, ARENA));
      }
      world.get().join();
      return world.get();
    }

    /** Asserts that the suite causes no race. */
    @AfterEach
    void nothingIsWrong() throws Exception {
      if (world.isPresent()) {
        assertThat(world.get().violation()).isEmpty();
      }
    }
  }

  @Nested
  final class OneHost extends Shape {
    OneHost() {
      super(Profile.L2, world -> Topology.grid(1, world));
    }
  }

  @Nested
  final class OneGpuPerHost extends Shape {
    OneGpuPerHost() {
      super(Profile.L3, world -> Topology.grid(world, 1));
    }
  }

  /** Even ranks share a host, odd ones have a host each. */
  @Nested
  final class Mixed extends Shape {
    Mixed() {
      super(Profile.L2, LiveWorld::mixed);
    }
  }
}
