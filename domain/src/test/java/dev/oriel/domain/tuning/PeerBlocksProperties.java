package dev.oriel.domain.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.SomeFacts;
import dev.oriel.domain.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PeerBlocksProperties {
  private static final long KIB = 1024;

  @Provide
  Arbitrary<Topology> worlds() {
    return SomeFacts.topologies(9);
  }

  /** Limits of both tables, and one byte to either side. */
  @Provide
  Arbitrary<Long> sizes() {
    return Arbitraries.integers()
        .between(0, 13)
        .flatMap(power -> Arbitraries.of(-1L, 0L, 1L).map(off -> (KIB << power) + off));
  }

  @Property
  void aRankServesItsPeersByTheRule(
      @ForAll("worlds") Topology topology, @ForAll("sizes") long bytes) {
    for (int rank = 0; rank < topology.world(); rank++) {
      PeerBlocks found = PeerBlocks.of(topology, rank, bytes);
      PeerResources near = BlockTable.NVLINK.at(bytes);
      PeerResources far = BlockTable.INFINIBAND.at(bytes);
      List<Integer> blocks = new ArrayList<>();
      boolean mixed = false;
      for (int peer = 0; peer < topology.world(); peer++) {
        if (peer != rank) {
          boolean nvlink = topology.kind(rank, peer) == PeerKind.NVLINK;
          mixed |= !nvlink;
          int expected = nvlink ? near.blocks() : far.blocks();
          blocks.add(expected);
          assertThat(found.blocks(topology.peerIndex(rank, peer))).isEqualTo(expected);
        }
      }
      assertThat(found.setting().blocks())
          .isEqualTo(blocks.stream().mapToInt(b -> b).max().orElse(near.blocks()));
      assertThat(found.setting().warps())
          .isEqualTo(mixed ? Math.max(near.warps(), far.warps()) : near.warps());
      assertThat(found.setting().chunk()).isEqualTo(near.chunk());
      if (blocks.stream().distinct().count() > 1) {
        assertThat(found.each()).isEqualTo(blocks);
      } else {
        assertThat(found.each()).isSameAs(List.of());
      }
    }
  }

  @Property
  void bothEndsOfAPairCountTheSameBlocks(
      @ForAll("worlds") Topology topology, @ForAll("sizes") long bytes) {
    for (int a = 0; a < topology.world(); a++) {
      for (int b = 0; b < a; b++) {
        assertThat(PeerBlocks.of(topology, a, bytes).blocks(topology.peerIndex(a, b)))
            .isEqualTo(PeerBlocks.of(topology, b, bytes).blocks(topology.peerIndex(b, a)));
      }
    }
  }

  @Property
  void theWorldsSettingIsTheLargestOfItsRanks(
      @ForAll("worlds") Topology topology, @ForAll("sizes") long bytes) {
    int blocks = 0;
    int warps = 0;
    for (int rank = 0; rank < topology.world(); rank++) {
      PeerResources own = PeerBlocks.of(topology, rank, bytes).setting();
      blocks = Math.max(blocks, own.blocks());
      warps = Math.max(warps, own.warps());
    }
    assertThat(PeerBlocks.everywhere(topology, bytes))
        .isEqualTo(new PeerResources(blocks, warps, 64 * KIB));
  }

  @Example
  void fourMebibytesAreStillInTheRow() {
    Topology apart = Topology.grid(4, 1);
    assertThat(PeerBlocks.of(apart, 0, 4096 * KIB))
        .isEqualTo(new PeerBlocks(new PeerResources(4, 16, 64 * KIB), List.of()));
    assertThat(PeerBlocks.of(apart, 0, 4096 * KIB + 1))
        .isEqualTo(new PeerBlocks(new PeerResources(8, 16, 64 * KIB), List.of()));
  }

  @Example
  void peersOfEitherKindHaveTheirOwnBlocks() {
    Topology mixed = Topology.grid(2, 3);
    assertThat(PeerBlocks.of(mixed, 1, 128 * KIB))
        .isEqualTo(new PeerBlocks(new PeerResources(8, 16, 64 * KIB), List.of(8, 8, 1, 1, 1)));
    assertThat(PeerBlocks.of(mixed, 1, 32 * KIB))
        .isEqualTo(new PeerBlocks(new PeerResources(1, 16, 64 * KIB), List.of()));
    assertThat(PeerBlocks.of(mixed, 1, 1025).setting().warps()).isEqualTo(16);
  }
}
