package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.Mode;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import dev.oriel.ports.contract.ChannelContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Channels of every mode over memory that is visible at once. */
@ParameterizedClass
@EnumSource(Mode.class)
final class SequentialChannelTest extends ChannelContract {
  private final Wire wire = new Wire();
  private final Mode mode;
  private boolean apart;

  SequentialChannelTest(Mode mode) {
    super(mode);
    this.mode = mode;
  }

  @Override
  protected Topology topology(int world) {
    return apart ? Topology.grid(world, 1) : Topology.grid(1, world);
  }

  @Override
  protected Communicator join(Bootstrap bootstrap, Topology topology, long bytes) {
    return new SequentialCommunicators(
            wire,
            System::nanoTime,
            (wire, rank, world) -> new SequentialFabric(wire, topology.facts(rank), bytes))
        .join(bootstrap);
  }

  @Test
  void packetsDoNotGoThroughInterfaces() {
    apart = true;
    ChannelSpec ring = new ChannelSpec(0, 16, 2, 0, 1, 0).in(mode);
    WindowSpec spec =
        WindowSpec.named("w")
            .withData(DataSizes.uniform(ring.bytes()))
            .withSignals(2)
            .withCounters(1);
    inWorld(
        2,
        c -> {
          try (Window window = c.window(spec)) {
            int peer = 1 - c.rank();
            if (mode == Mode.SIMPLE) {
              Sender ignored = new Sender(window, peer, ring);
            } else {
              assertThatExceptionOfType(MachineException.class)
                  .isThrownBy(() -> new Sender(window, peer, ring))
                  .withMessageContainingAll("mapped", "rank=" + c.rank(), "mode=" + mode);
              assertThatExceptionOfType(MachineException.class)
                  .isThrownBy(() -> new Receiver(window, peer, ring))
                  .withMessageContainingAll("mapped", "peer=" + peer, "mode=" + mode);
            }
          }
          return c;
        });
  }
}
