package dev.oriel.sim.sequential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.CopyOp;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import dev.oriel.ports.channel.Transfer;
import dev.oriel.ports.channel.TransferProgress;
import dev.oriel.ports.contract.ChannelContract;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Channels of every mode, on every kind of link that carries it, over memory visible at once. */
@ParameterizedClass
@CsvSource({"SIMPLE, false", "LL, false", "LL128, false", "SIMPLE, true", "LL, true"})
final class SequentialChannelTest extends ChannelContract {
  private final SequentialWire wire = new SequentialWire();
  private final ChannelMode mode;
  private boolean apart;

  SequentialChannelTest(ChannelMode mode, boolean apart) {
    super(mode);
    this.mode = mode;
    this.apart = apart;
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

  /** Every rank sends and receives at once, by steps of one thread that never wait. */
  @Test
  void stepsOfBothEndsAlternate() {
    ChannelSpec ring = new ChannelSpec(0, 32, 3, 0, 1, 0).in(mode);
    inWorld(
        3,
        c -> {
          try (Window window = c.window(spec(ring));
              LocalBuffer out = c.buffer(240);
              LocalBuffer in = c.buffer(240);
              LocalBuffer stage = c.buffer(ring.bytes())) {
            int last = (c.rank() + 2) % 3;
            int next = (c.rank() + 1) % 3;
            Sender sender =
                apart && mode == ChannelMode.LL
                    ? new Sender(window, next, ring, CopyOp.PLAIN, stage)
                    : new Sender(window, next, ring);
            Receiver receiver = new Receiver(window, last, ring);
            for (int length : new int[] {240, 0, 1, 77}) {
              out.write(0, bytes(length, c.rank()));
              Transfer sending = sender.send(out, 0, length);
              Transfer receiving = receiver.receive(in, 0, length);
              boolean sent = false;
              boolean received = false;
              while (!sent || !received) {
                sent = sending.step() == TransferProgress.DONE;
                received = receiving.step() == TransferProgress.DONE;
              }
              assertThat(in.read(0, length)).isEqualTo(bytes(length, last));
            }
          }
          return c;
        });
  }

  private static byte[] bytes(int length, int seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static WindowSpec spec(ChannelSpec ring) {
    return WindowSpec.named("w")
        .withData(DataSizes.uniform(ring.bytes()))
        .withSignals(2)
        .withCounters(1);
  }

  @Test
  void linesNeedMappedMemoryAndPacketsNeedAStage() {
    apart = true;
    ChannelSpec ring = new ChannelSpec(0, 16, 2, 0, 1, 0).in(mode);
    inWorld(
        2,
        c -> {
          try (Window window = c.window(spec(ring))) {
            int peer = 1 - c.rank();
            switch (mode) {
              case SIMPLE -> assertThat(new Sender(window, peer, ring)).isNotNull();
              case LL -> {
                assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Sender(window, peer, ring))
                    .withMessageContainingAll("no stage", "mode=LL", "ring=" + ring.bytes());
                assertThatIllegalArgumentException()
                    .isThrownBy(
                        () -> new Sender(window, peer, ring, CopyOp.PLAIN, window, /* from= */ 1))
                    .withMessageContainingAll("stage too short", "from=1");
                assertThat(new Sender(window, peer, ring, CopyOp.PLAIN, window)).isNotNull();
              }
              case LL128 -> {
                assertThatExceptionOfType(MachineException.class)
                    .isThrownBy(() -> new Sender(window, peer, ring))
                    .withMessageContainingAll("mapped", "rank=" + c.rank(), "mode=" + mode);
                assertThatExceptionOfType(MachineException.class)
                    .isThrownBy(() -> new Receiver(window, peer, ring))
                    .withMessageContainingAll("mapped", "peer=" + peer, "mode=" + mode);
              }
            }
          }
          return c;
        });
  }
}
