package dev.oriel.sim.ranks;

import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.contract.ChannelContract;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Channels of every mode, on every kind of link that carries it and under every memory layer. */
@ParameterizedClass
@Sampled(every = 7)
@MethodSource("modes")
final class RankChannelTest extends ChannelContract {
  private static final RankArena ARENA =
      new RankArena(2048, new RankArena.Slots(16, 8, 16)).withLanes(2);

  private final Shape shape;
  private final LiveWorlds worlds;

  RankChannelTest(Shape shape, ChannelMode mode) {
    super(mode);
    this.shape = shape;
    this.worlds = shape.worlds(mode.packets().map(ARENA::withPackets).orElse(ARENA));
  }

  static Stream<Arguments> modes() {
    return Arrays.stream(ChannelMode.values())
        .flatMap(mode ->
            Arrays.stream(Shape.values())
                .filter(shape -> mode != ChannelMode.LL128 || shape.mapped())
                .map(shape -> Arguments.of(shape, mode)));
  }

  @Override
  protected Topology topology(int world) {
    return shape.topology(world);
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
