package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.WindowContract;
import dev.oriel.sim.machine.Profile;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What rank code sees is a window, on every kind of link and under every memory layer. */
class RankWindowTest {

  private static final Arena ARENA = new Arena(1024, 16, 8, 16, true, 1);

  abstract static class Shape extends WindowContract {
    private final IntFunction<Topology> shape;
    private final LiveWorlds worlds;

    Shape(Profile profile, IntFunction<Topology> shape) {
      super(Set.of());
      this.shape = shape;
      this.worlds = new LiveWorlds(profile, ARENA);
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
      worlds.forget();
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return worlds.join(bootstrap, topology);
    }

    /** The contract's own code is right: the machine finds nothing wrong with it. */
    @AfterEach
    void nothingIsWrong() throws Exception {
      worlds.requireNothingWrong();
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

  @Nested
  final class Proxied extends Shape {
    Proxied() {
      super(Profile.parse("L2,proxy=1"), world -> Topology.grid(world, 1));
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
