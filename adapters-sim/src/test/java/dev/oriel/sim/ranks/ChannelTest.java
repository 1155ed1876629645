package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.Codes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.Progress;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import dev.oriel.ports.channel.Transfer;
import dev.oriel.sim.machine.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels over the window of the weak-memory machine. */
class ChannelTest {
  /** The ring lies in front; a message goes from 64 on to 128 and on. */
  private static final ChannelSpec RING = new ChannelSpec(0, 16, 2, 0, 1, 0);

  private static final WindowSpec WINDOW =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(256))
          .withSignals(2)
          .withCounters(1)
          .withBarriers(1);

  private static byte[] message(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (7 * i + seed);
    }
    return bytes;
  }

  private static Exploration exploration(String shape, RankCode code) {
    Topology world = shape.equals("mixed") ? LiveWorld.mixed(3) : Topology.parse(shape);
    return Exploration.of("channel", WINDOW, world, Thread::startVirtualThread, code)
        .withBudget(new Budget(15, 200, 200_000, 20_000_000));
  }

  private static void holds(String shape, RankCode code) {
    for (Profile profile : List.of(Profile.L0, Profile.L2, Profile.L3)) {
      Verdict verdict = exploration(shape, code).withProfile(profile).check().verdict();
      assertThat(verdict.violation()).as(profile.name()).isEmpty();
    }
  }

  /** Three messages of other sizes, the ring full again and again: cursors go on between them. */
  private static RankCode pair(ChannelSpec atSender) {
    int[] sizes = {50, 0, 16, 33};
    return (window, rank) -> {
      if (rank == 0) {
        Sender sender = new Sender(window, 1, atSender);
        for (int size : sizes) {
          window.write(64, message(size, size));
          sender.send(window, 64, size).finish(LONG);
        }
      } else {
        Receiver receiver = new Receiver(window, 0, RING);
        for (int size : sizes) {
          receiver.receive(window, 128, size).finish(LONG);
          assertThat(window.read(128, size)).isEqualTo(message(size, size));
        }
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void messagesOfAnySizeArrive(String shape) {
    holds(shape, pair(RING));
  }

  /** A sender that believes in a longer ring overwrites what is not drained. */
  @ParameterizedTest
  @ValueSource(strings = {"1x2", "2x1"})
  void withoutEnoughCreditTilesAreOverwritten(String shape) {
    Verdict verdict =
        exploration(shape, pair(new ChannelSpec(0, 16, 3, 0, 1, 0))).check().verdict();
    assertThat(verdict.violation()).isPresent();
    assertThat(verdict.violation().orElseThrow().kind()).isIn("race", "thrown");
  }

  /** Rank 0's message goes on from rank to rank, longer than all rings together. */
  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1", "mixed"})
  void aMessageIsForwarded(String shape) {
    holds(
        shape,
        (window, rank) -> {
          Sender next = new Sender(window, (rank + 1) % 3, RING);
          if (rank == 0) {
            window.write(64, message(100, 5));
            next.send(window, 64, 100).finish(LONG);
          } else {
            Receiver last = new Receiver(window, rank - 1, RING);
            Transfer transfer =
                rank == 1 ? last.forward(window, 128, 100, next) : last.receive(window, 128, 100);
            transfer.finish(LONG);
            assertThat(window.read(128, 100)).isEqualTo(message(100, 5));
          }
        });
  }

  /** One thread sends and receives at once, in turns: with blocking calls all would wait. */
  @ParameterizedTest
  @ValueSource(strings = {"1x3", "3x1"})
  void stepsOfManyTransfersAreTakenInTurns(String shape) {
    Verdict verdict =
        exploration(
                shape,
                (window, rank) -> {
                  Sender sender = new Sender(window, (rank + 1) % 3, RING);
                  Receiver receiver = new Receiver(window, (rank + 2) % 3, RING);
                  window.write(64, message(60, rank));
                  Transfer out = sender.send(window, 64, 60);
                  Transfer in = receiver.receive(window, 128, 60);
                  boolean going = true;
                  while (going) {
                    boolean sent = out.step() == Progress.DONE;
                    going = in.step() != Progress.DONE || !sent;
                  }
                  assertThat(window.read(128, 60)).isEqualTo(message(60, (rank + 2) % 3));
                })
            .withStrategy(Strategy.RANDOM)
            .check()
            .verdict();
    assertThat(verdict.violation()).isEmpty();
  }

  @Test
  void anEndCarriesOneTransferAtATime() {
    holds(
        "1x2",
        (window, rank) -> {
          Sender sender = new Sender(window, 1 - rank, RING);
          Transfer first = sender.send(window, 64, 8);
          assertThatIllegalStateException()
              .isThrownBy(() -> sender.send(window, 64, 8))
              .withMessageContaining("busy");
          Receiver receiver = new Receiver(window, 1 - rank, RING);
          Transfer in = receiver.receive(window, 128, 8);
          first.finish(LONG);
          in.finish(LONG);
          sender.send(window, 64, 0).finish(LONG);
        });
  }
}
