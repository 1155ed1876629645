package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.WindowContract;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;

/** Signals and barriers are in one memory or the other, depending on how ranks reach each other. */
class SequentialWindowTest {

  abstract static class Shape extends WindowContract {
    private final SequentialWire wire = new SequentialWire();
    private final IntFunction<Topology> shape;

    Shape(IntFunction<Topology> shape) {
      super(Set.of());
      this.shape = shape;
    }

    @Override
    protected Topology topology(int world) {
      return shape.apply(world);
    }

    @Override
    protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
      return new SequentialCommunicators(
              wire,
              System::nanoTime,
              (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
          .join(bootstrap);
    }
  }

  @Nested
  final class OneHost extends Shape {
    OneHost() {
      super(world -> Topology.grid(1, world));
    }
  }

  @Nested
  final class OneGpuPerHost extends Shape {
    OneGpuPerHost() {
      super(world -> Topology.grid(world, 1));
    }
  }

  /** Even ranks share a host, odd ones have a host each. */
  @Nested
  final class Mixed extends Shape {
    Mixed() {
      super(world ->
          Topology.of(
              IntStream.range(0, world)
                  .mapToObj(rank ->
                      rank % 2 == 0
                          ? Topology.grid(1, world).facts(rank)
                          : RankFacts.of("far" + rank, 0))
                  .toList()));
    }
  }
}
