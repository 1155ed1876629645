package dev.oriel.sim.ranks;

import static dev.oriel.sim.ranks.CorrectRankCode.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.oriel.domain.measure.Thorough;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Verdict;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.CopyOp;
import dev.oriel.ports.channel.Receiver;
import dev.oriel.ports.channel.Sender;
import dev.oriel.ports.channel.Transfer;
import dev.oriel.ports.channel.TransferProgress;
import dev.oriel.ports.contract.LitteredWindow;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.search.Budget;
import dev.oriel.sim.search.Strategy;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels of every mode over the window of the weak-memory machine. */
class ChannelTest {
  /**
   * The staging area for packets that go through an interface; rings of such packets take as many
   * bytes, from 256.
   */
  private static final int STAGE = 128;

  /** The start of a message, and of another one. */
  private static final int FROM = 256;

  private static final int INTO = 384;

  private static final WindowSpec WINDOW =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(512))
          .withSignals(4)
          .withCounters(2)
          .withBarriers(1);

  /** The ring comes first: two tiles of 16 bytes, or as many packets as carry them. */
  private static ChannelSpec ring(ChannelMode mode) {
    return new ChannelSpec(0, 16, 2, 0, 1, 0).in(mode);
  }

  private static Sender sender(Window window, int peer, ChannelSpec ring) {
    return ring.mode() == ChannelMode.LL && !window.mapped(peer)
        ? new Sender(window, peer, ring, CopyOp.PLAIN, window, STAGE)
        : new Sender(window, peer, ring);
  }

  private static byte[] message(int length, int seed) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (7 * i + seed);
    }
    return bytes;
  }

  private static RankCodeExploration exploration(ChannelMode mode, String shape, RankCode code) {
    Topology world = shape.equals("mixed") ? LiveWorld.mixed(3) : Topology.parse(shape);
    RankCodeExploration plain =
        RankCodeExploration.of("channel", WINDOW, world, Thread::startVirtualThread, code)
            .withBudget(new Budget(Thorough.count(3, 15), 200, 200_000, 20_000_000));
    return mode.packets().map(plain::withPackets).orElse(plain);
  }

  private static void holds(ChannelMode mode, String shape, RankCode code) {
    for (Profile profile : List.of(Profile.L0, Profile.L2, Profile.L3)) {
      Verdict verdict = exploration(mode, shape, code).withProfile(profile).check().verdict();
      assertThat(verdict.violation()).as(profile.name()).isEmpty();
    }
  }

  /**
   * Three messages of different sizes fill the ring repeatedly; cursors advance across messages.
   */
  private static RankCode pair(ChannelSpec ring) {
    int[] sizes = {50, 0, 16, 33};
    return (window, rank) -> {
      if (rank == 0) {
        Sender sender = sender(window, 1, ring);
        for (int size : sizes) {
          window.write(FROM, message(size, size));
          sender.send(window, FROM, size).finish(LONG);
        }
      } else {
        Receiver receiver = new Receiver(window, 0, ring);
        for (int size : sizes) {
          receiver.receive(window, INTO, size).finish(LONG);
          assertThat(window.read(INTO, size)).isEqualTo(message(size, size));
        }
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"SIMPLE, 1x2", "SIMPLE, 2x1", "LL, 1x2", "LL, 2x1", "LL128, 1x2"})
  void messagesOfAnySizeArrive(ChannelMode mode, String shape) {
    holds(mode, shape, pair(ring(mode)));
  }

  /** The flags of the first, second and third pass are on both sides of the wrap-around. */
  @ParameterizedTest
  @CsvSource({"LL, 1x2", "LL, 2x1", "LL128, 1x2"})
  void flagsWrap(ChannelMode mode, String shape) {
    holds(mode, shape, pair(ring(mode).after(((1L << 32) - 2) * ring(mode).bytes())));
  }

  /** Two successive channels over the same memory; the second may be broken. */
  private static RankCode twice(ChannelMode mode, boolean met, UnaryOperator<Window> receiving) {
    ChannelSpec earlier = ring(mode);
    ChannelSpec later = new ChannelSpec(0, 16, 2, 2, 3, 1).in(mode);
    return (window, rank) -> {
      for (ChannelSpec ring : List.of(earlier, later)) {
        int seed = ring.data();
        if (rank == 0) {
          window.write(FROM, message(40, seed));
          sender(window, 1, ring).send(window, FROM, 40).finish(LONG);
        } else {
          Window own = ring.equals(later) ? receiving.apply(window) : window;
          new Receiver(own, 0, ring).receive(window, INTO, 40).finish(LONG);
          assertThat(window.read(INTO, 40)).isEqualTo(message(40, seed));
        }
        if (met) {
          window.barrier(0, LONG);
        }
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"SIMPLE, 1x2", "LL, 1x2", "LL, 2x1", "LL128, 1x2"})
  void aRingIgnoresPacketsOfAnEarlierRing(ChannelMode mode, String shape) {
    holds(mode, shape, twice(mode, true, own -> own));
  }

  /**
   * A receiver that does not clear the ring takes packets of the earlier channel. These race with
   * the later packets of the same flag; where memory is in order, only the bytes show it.
   */
  @ParameterizedTest
  @EnumSource(
      value = ChannelMode.class,
      names = {"LL", "LL128"})
  void aRingThatIsNotClearedIsDetected(ChannelMode mode) {
    RankCode broken = twice(mode, true, own -> LitteredWindow.of(own, FROM));
    for (Profile profile : List.of(Profile.L0, Profile.L2, Profile.L3)) {
      Verdict verdict = exploration(mode, "1x2", broken).withProfile(profile).check().verdict();
      assertThat(verdict.violation().map(Verdict.Violation::kind))
          .as(profile.name())
          .contains(profile.ordered() ? "thrown" : "race");
    }
  }

  /**
   * A receiver of a packet is ordered after its bytes only: the put and the clearing are unordered.
   */
  @ParameterizedTest
  @EnumSource(
      value = ChannelMode.class,
      names = {"LL", "LL128"})
  void overlappingRingsNeedABarrierBetweenThem(ChannelMode mode) {
    Verdict verdict =
        exploration(mode, "1x2", twice(mode, false, own -> own))
            .withProfile(Profile.L2)
            .check()
            .verdict();
    assertThat(verdict.violation().map(Verdict.Violation::kind)).contains("race");
  }

  /** Rank 0's message passes from rank to rank and is longer than all rings together. */
  @ParameterizedTest
  @CsvSource({
    "SIMPLE, 1x3",
    "SIMPLE, 3x1",
    "SIMPLE, mixed",
    "LL, 1x3",
    "LL, 3x1",
    "LL, mixed",
    "LL128, 1x3"
  })
  void aMessageIsForwarded(ChannelMode mode, String shape) {
    ChannelSpec ring = ring(mode);
    holds(
        mode,
        shape,
        (window, rank) -> {
          Sender next = sender(window, (rank + 1) % 3, ring);
          if (rank == 0) {
            window.write(INTO, message(100, 5));
            next.send(window, INTO, 100).finish(LONG);
          } else {
            Receiver last = new Receiver(window, rank - 1, ring);
            Transfer transfer =
                rank == 1 ? last.forward(window, INTO, 100, next) : last.receive(window, INTO, 100);
            transfer.finish(LONG);
            assertThat(window.read(INTO, 100)).isEqualTo(message(100, 5));
          }
        });
  }

  /**
   * One thread alternates between sending and receiving; with blocking calls all would deadlock.
   */
  @ParameterizedTest
  @CsvSource({"SIMPLE, 1x3", "SIMPLE, 3x1", "LL, 1x3", "LL, 3x1", "LL128, 1x3"})
  void stepsOfManyTransfersAlternate(ChannelMode mode, String shape) {
    ChannelSpec ring = ring(mode);
    Verdict verdict =
        exploration(
                mode,
                shape,
                (window, rank) -> {
                  Sender sender = sender(window, (rank + 1) % 3, ring);
                  Receiver receiver = new Receiver(window, (rank + 2) % 3, ring);
                  window.write(FROM, message(60, rank));
                  Transfer out = sender.send(window, FROM, 60);
                  Transfer in = receiver.receive(window, INTO, 60);
                  boolean going = true;
                  while (going) {
                    boolean sent = out.step() == TransferProgress.DONE;
                    going = in.step() != TransferProgress.DONE || !sent;
                  }
                  assertThat(window.read(INTO, 60)).isEqualTo(message(60, (rank + 2) % 3));
                })
            .withStrategy(Strategy.RANDOM)
            .check()
            .verdict();
    assertThat(verdict.violation()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ChannelMode.class)
  void anEndCarriesOneTransferAtATime(ChannelMode mode) {
    ChannelSpec ring = ring(mode);
    holds(
        mode,
        "1x2",
        (window, rank) -> {
          Sender sender = sender(window, 1 - rank, ring);
          Transfer first = sender.send(window, FROM, 8);
          assertThatIllegalStateException()
              .isThrownBy(() -> sender.send(window, FROM, 8))
              .withMessageContaining("busy");
          Receiver receiver = new Receiver(window, 1 - rank, ring);
          Transfer in = receiver.receive(window, INTO, 8);
          first.finish(LONG);
          in.finish(LONG);
          sender.send(window, FROM, 0).finish(LONG);
        });
  }

  /** Both ends report the difference, in either order of arrival, and the ring is untouched. */
  @ParameterizedTest
  @EnumSource(ChannelMode.class)
  void endsThatDifferAreRejectedAtBoth(ChannelMode mode) {
    ChannelSpec longer = new ChannelSpec(0, 16, 3, 0, 1, 0).in(mode);
    holds(
        mode,
        "1x2",
        (window, rank) -> {
          Transfer transfer =
              rank == 0
                  ? sender(window, 1, longer).send(window, FROM, 50)
                  : new Receiver(window, 0, ring(mode)).receive(window, INTO, 50);
          assertThatExceptionOfType(MachineException.class)
              .isThrownBy(() -> transfer.finish(LONG))
              .withMessageContainingAll("channel ends differ", "rank=" + rank);
          assertThat(window.read(0, 96)).containsOnly(0);
        });
  }

  /** Each end reports it on its own request. */
  @ParameterizedTest
  @ValueSource(strings = {"2x1", "mixed"})
  void linesDoNotGoThroughInterfaces(String shape) {
    ChannelMode mode = ChannelMode.LL128;
    holds(
        mode,
        shape,
        (window, rank) -> {
          if (rank < 2) {
            assertThatExceptionOfType(MachineException.class)
                .isThrownBy(() -> new Sender(window, 1 - rank, ring(mode)))
                .withMessageContainingAll("mapped", "mode=" + mode);
            assertThatExceptionOfType(MachineException.class)
                .isThrownBy(() -> new Receiver(window, 1 - rank, ring(mode)))
                .withMessageContainingAll("mapped", "mode=" + mode);
          }
        });
  }

  /** A link that splits lines does not support lines; packets have a flag for each half. */
  @ParameterizedTest
  @ValueSource(strings = {"LL", "LL128"})
  void linesNeedUnsplitStores(String name) {
    ChannelMode mode = ChannelMode.valueOf(name);
    Verdict verdict =
        exploration(mode, "1x2", pair(ring(mode)))
            .withProfile(Profile.parse("L2,torn=1"))
            .check()
            .verdict();
    assertThat(verdict.violation().map(Verdict.Violation::kind).orElse("none"))
        .isEqualTo(mode == ChannelMode.LL ? "none" : "race");
  }
}
