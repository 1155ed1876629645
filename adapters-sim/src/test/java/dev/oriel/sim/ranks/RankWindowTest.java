package dev.oriel.sim.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.WindowContract;
import dev.oriel.sim.machine.Profile;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What rank code sees is a window, on every kind of link and under every memory layer. */
class RankWindowTest {

  private static final Arena ARENA = new Arena(1024, 16, 8, 16, true);

  abstract static class Shape extends WindowContract {
    private final Profile profile;
    private final IntFunction<Topology> shape;
    private Optional<LiveWorld> world = Optional.empty();

    Shape(Profile profile, IntFunction<Topology> shape) {
      super(Set.of());
      this.profile = profile;
      this.shape = shape;
    }

    @Override
    protected Topology topology(int size) {
      return shape.apply(size);
    }

    @Override
    protected int large() {
      return 512;
    }

    @Override
    protected void newWorld() {
      world = Optional.empty();
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      LiveWorld joined = joined(topology);
      return joined.communicator(bootstrap, ARENA);
    }

    private synchronized LiveWorld joined(Topology topology) {
      if (world.isEmpty()) {
        world = Optional.of(new LiveWorld(profile, topology, ARENA));
      }
      world.get().join();
      return world.get();
    }

    /** The contract's own code is right: the machine finds nothing wrong with it. */
    @AfterEach
    void nothingIsWrong() throws Exception {
      if (world.isPresent()) {
        assertThat(world.get().violation()).isEmpty();
      }
    }
  }

  @Nested
  final class Ordered extends Shape {
    Ordered() {
      super(Profile.L0, world -> Topology.grid(1, world));
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
      super(Profile.L2, world -> Topology.grid(world, 1));
    }
  }

  @Nested
  final class Adversarial extends Shape {
    Adversarial() {
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
