package dev.oriel.sim.ranks;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.contract.WindowContract;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The window of rank code fulfils the contract, on every kind of link and under every memory layer.
 */
@ParameterizedClass
@Sampled(every = 6)
@EnumSource(Shape.class)
final class RankWindowTest extends WindowContract {
  private static final RankArena ARENA =
      new RankArena(1024, new RankArena.Slots(16, 8, 16)).withPutSignals();

  private final Shape shape;
  private final LiveWorlds worlds;

  RankWindowTest(Shape shape) {
    super(Set.of());
    this.shape = shape;
    this.worlds = shape.worlds(ARENA);
  }

  @Override
  protected Topology topology(int world) {
    return shape.topology(world);
  }

  @Override
  public int large() {
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

  /** Asserts that the machine finds no violation in the contract's code. */
  @AfterEach
  void nothingIsWrong() throws Exception {
    worlds.requireNothingWrong();
  }
}
