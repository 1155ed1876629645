package dev.oriel.sim.properties;

import static dev.oriel.sim.properties.RandomMembers.HOLDS;
import static dev.oriel.sim.properties.RandomMembers.LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.data.DataType;
import dev.oriel.domain.data.ReduceOp;
import dev.oriel.domain.data.Reduction;
import dev.oriel.domain.measure.Sampled;
import dev.oriel.domain.packet.PacketFormat;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.DataSizes;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;
import dev.oriel.ports.channel.ChannelMode;
import dev.oriel.ports.channel.ChannelSpec;
import dev.oriel.ports.channel.CopyOp;
import dev.oriel.ports.channel.LaneReceivers;
import dev.oriel.ports.channel.LaneSenders;
import dev.oriel.ports.channel.Transfer;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.ranks.MemberCode;
import dev.oriel.sim.ranks.RankArena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Messages of any sizes pass along a chain of all ranks of a random world, which add to them. They
 * use packets where links support them and tiles elsewhere, rings of any shape, and lanes that do
 * not wait for each other. Flags and cursors wrap, and every run is repeated with new windows.
 */
class ChannelProperties {
  private static final CopyOp SUM = new CopyOp.Reduce(Reduction.of(ReduceOp.SUM, DataType.INT32));

  /** The parameters of channels; all packets of a world have one format. */
  record Drawn(
      int tiles, int depth, int lanes, ChannelMode packets, long passes, List<Integer> words) {
    private ChannelSpec ring(ChannelMode mode) {
      ChannelSpec plain = new ChannelSpec(0, 16 * tiles, depth, 0, lanes, 0).in(mode);
      return plain.after(passes * plain.bytes());
    }

    /** The ring of the link between two ranks, as both of them compute it. */
    ChannelSpec ring(Topology world, int from, int to) {
      return ring(
          world.kind(from, to) == PeerKind.RDMA && packets == ChannelMode.LL128
              ? ChannelMode.SIMPLE
              : packets);
    }

    private long rings() {
      return lanes * Math.max(ring(ChannelMode.SIMPLE).bytes(), ring(packets).bytes());
    }

    private WindowSpec window() {
      return WindowSpec.named("w")
          .withData(DataSizes.uniform(rings()))
          .withSignals(2 * lanes)
          .withCounters(lanes)
          .withBarriers(1);
    }

    private int bytes() {
      return 4 * words.stream().mapToInt(w -> w).sum();
    }

    private RankArena arena(int world) {
      RankArena one = RankArena.of(world, List.of(window()));
      PacketFormat format = packets.packets().orElse(PacketFormat.PKT16);
      RankArena both = new RankArena(one.bytes(), one.slots().and(one.slots())).withLanes(lanes);
      return both.withPackets(format).withBuffers(bytes() + rings() + 2L * format.bytes());
    }
  }

  /** The word that a rank adds. */
  private static int word(int rank, int at) {
    return 31 * rank + 7 * at + 1;
  }

  private static byte[] words(int count, java.util.function.IntUnaryOperator word) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    IntStream.range(0, count).forEach(at -> bytes.putInt(word.applyAsInt(at)));
    return bytes.array();
  }

  /** The sum of the words of the ranks up to that one. */
  private static int sum(int rank, int at) {
    return IntStream.rangeClosed(0, rank).map(r -> word(r, at)).sum();
  }

  private static MemberCode code(Drawn drawn, Topology world) {
    return (machine, ranks) -> {
      for (int launch = 0; launch < 2; launch++) {
        try (Communicator c = machine.join(ranks);
            Window window = c.window(drawn.window());
            LocalBuffer buffer = c.buffer(drawn.bytes());
            LocalBuffer stage = c.buffer(drawn.rings())) {
          buffer.write(0, words(drawn.bytes() / 4, at -> word(c.rank(), at)));
          carry(c, window, buffer, stage, drawn, world);
          assertThat(buffer.read(0, drawn.bytes()))
              .isEqualTo(words(drawn.bytes() / 4, at -> sum(c.rank(), at)));
        }
      }
    };
  }

  private static void carry(
      Communicator c,
      Window window,
      LocalBuffer buffer,
      LocalBuffer stage,
      Drawn drawn,
      Topology world)
      throws Exception {
    int rank = c.rank();
    int last = c.world() - 1;
    int lanes = drawn.lanes;
    // An end exists only if another rank has the other end.
    int to = Math.min(rank + 1, last);
    ChannelSpec ring = drawn.ring(world, rank, to);
    LaneSenders next =
        ring.mode() == ChannelMode.LL && world.kind(rank, to) == PeerKind.RDMA
            ? new LaneSenders(window, to, ring, lanes, SUM, stage)
            : new LaneSenders(window, to, ring, lanes, SUM);
    LaneReceivers from =
        new LaneReceivers(
            window, rank - 1, drawn.ring(world, Math.max(0, rank - 1), rank), lanes, SUM);
    c.lanes(
        lanes,
        Thread::startVirtualThread,
        lane -> {
          if (last == 0) {
            return;
          }
          int at = 0;
          for (int words : drawn.words) {
            Transfer transfer;
            if (rank == 0) {
              transfer = next.send(lane, buffer, at, 4L * words);
            } else if (rank == last) {
              transfer = from.receive(lane, buffer, at, 4L * words);
            } else {
              transfer = from.forward(lane, buffer, at, 4L * words, next);
            }
            transfer.finish(LONG);
            at += 4 * words;
          }
        });
  }

  @Provide
  Arbitrary<Drawn> drawn() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(1, 2),
            Arbitraries.of(ChannelMode.LL, ChannelMode.LL128),
            Arbitraries.of(0L, (1L << 31) - 2, (1L << 32) - 2, (1L << 33) - 1),
            Arbitraries.integers().between(0, 40).list().ofMinSize(1).ofMaxSize(3))
        .as(Drawn::new);
  }

  @Provide
  Arbitrary<Topology> worlds() {
    return RandomMembers.worlds();
  }

  @Provide
  Arbitrary<Profile> profiles() {
    return Arbitraries.of(Judged.WEAK);
  }

  @Property(tries = 40)
  @Sampled(every = 5)
  void chainsOfRandomChannelsDeliverRandomMessages(
      @ForAll("worlds") Topology world,
      @ForAll("profiles") Profile profile,
      @ForAll("drawn") Drawn drawn,
      @ForAll @IntRange(max = 1000) int seed) {
    String verdict =
        RandomMembers.verdict(world, drawn.arena(world.world()), profile, seed, code(drawn, world));
    assertThat(verdict).isEqualTo(HOLDS);
  }
}
