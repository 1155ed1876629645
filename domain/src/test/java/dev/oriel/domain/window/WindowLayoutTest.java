package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import org.junit.jupiter.api.Test;

class WindowLayoutTest {

  private static final WindowSpec SPEC =
      WindowSpec.named("w")
          .withData(DataSizes.uniform(64))
          .withSignals(3)
          .withCounters(2)
          .withBarriers(2);
  private static final Topology TOPOLOGY = Topology.grid(2, 3);
  private static final WindowLayout LAYOUT = WindowLayout.of(SPEC, TOPOLOGY);

  @Test
  void anNvlinkSignalOwnsALine() {
    assertThat(LAYOUT.owner(1).signalSlot(2, 1))
        .isEqualTo(new WindowSlot(SlotUse.SIGNAL, 1, 1, 2, SlotMemory.NVLINK, 128 * (3 + 1)));
    assertThat(LAYOUT.owner(1).signalSlot(0, 2).offset()).isEqualTo(128 * 2);
  }

  @Test
  void anRdmaSignalIsAPackedWord() {
    assertThat(LAYOUT.owner(1).signalSlot(5, 1))
        .isEqualTo(new WindowSlot(SlotUse.SIGNAL, 1, 1, 5, SlotMemory.RDMA, 8 * (2 * 3 + 1)));
    assertThat(LAYOUT.owner(4).signalSlot(0, 0).offset()).isZero();
  }

  @Test
  void barriersFollowTheSignals() {
    assertThat(LAYOUT.owner(1).barrierSlot(2, 1))
        .isEqualTo(
            new WindowSlot(SlotUse.BARRIER, 1, 1, 2, SlotMemory.NVLINK, 128 * (2 * 3 + 2 + 1)));
    assertThat(LAYOUT.owner(1).barrierSlot(3, 0).offset()).isEqualTo(8 * 3 * 3);
  }

  @Test
  void countersAreWrittenByTheOwner() {
    WindowSlot counter = LAYOUT.owner(1).counterSlot(4, 1);
    assertThat(counter)
        .isEqualTo(new WindowSlot(SlotUse.COUNTER, 1, 1, 4, SlotMemory.COUNTER, 8 * (2 + 1)));
    assertThat(counter.writer()).isEqualTo(1);
    assertThat(LAYOUT.owner(1).signalSlot(4, 0).writer()).isEqualTo(4);
    assertThat(LAYOUT.owner(1).barrierSlot(4, 0).writer()).isEqualTo(4);
  }

  @Test
  void eachMemoryIsAsLongAsItsSlots() {
    OwnerLayout owner = LAYOUT.owner(4);
    assertThat(owner.owner()).isEqualTo(4);
    assertThat(owner.rows(SlotMemory.NVLINK)).isEqualTo(2);
    assertThat(owner.rows(SlotMemory.RDMA)).isEqualTo(3);
    assertThat(owner.bytes(SlotMemory.NVLINK)).isEqualTo(2 * 5 * 128);
    assertThat(owner.bytes(SlotMemory.RDMA)).isEqualTo(3 * 5 * 8);
    assertThat(owner.bytes(SlotMemory.COUNTER)).isEqualTo(3 * 2 * 8);
    assertThat(owner.dataBytes()).isEqualTo(64);
    assertThat(LAYOUT.spec()).isEqualTo(SPEC);
    assertThat(LAYOUT.topology()).isSameAs(TOPOLOGY);
  }

  @Test
  void nothingIsAllocatedForACountOfZeroOrWithoutPeers() {
    OwnerLayout alone = WindowLayout.of(SPEC, Topology.grid(1, 1)).owner(0);
    OwnerLayout plain = WindowLayout.of(WindowSpec.named("w"), TOPOLOGY).owner(0);
    for (SlotMemory memory : SlotMemory.values()) {
      assertThat(alone.bytes(memory)).isZero();
      assertThat(plain.bytes(memory)).isZero();
    }
  }

  @Test
  void theLargestWindowDoesNotOverflow() {
    int most = WindowSpec.MAX_COUNT;
    OwnerLayout owner =
        WindowLayout.of(
                WindowSpec.named("w").withSignals(most).withBarriers(most).withCounters(most),
                Topology.grid(1, 1 << 16))
            .owner(0);
    assertThat(owner.bytes(SlotMemory.NVLINK)).isEqualTo(65_535L * 131_072 * 128);
    WindowSlot last = owner.barrierSlot((1 << 16) - 1, most - 1);
    assertThat(last.offset()).isEqualTo(owner.bytes(SlotMemory.NVLINK) - 128);
    assertThat(owner.slotAt(SlotMemory.NVLINK, last.offset())).isEqualTo(last);
  }

  @Test
  void everyPeerMayHaveRdmaRowsAsWell() {
    OwnerLayout owner = WindowLayout.of(SPEC.withRdmaRows(RdmaRows.EVERY_PEER), TOPOLOGY).owner(1);
    assertThat(owner.rows(SlotMemory.RDMA)).isEqualTo(5);
    assertThat(owner.signalSlot(2, 0).memory()).isEqualTo(SlotMemory.NVLINK);
    assertThat(owner.signalSlot(2, 0, PeerKind.RDMA))
        .isEqualTo(new WindowSlot(SlotUse.SIGNAL, 0, 1, 2, SlotMemory.RDMA, 8 * 3));
    assertThat(owner.barrierSlot(0, 1, PeerKind.RDMA).offset()).isEqualTo(8 * (5 * 3 + 1));
    assertThat(owner.counterSlot(0, 1).offset()).isEqualTo(8);
  }

  @Test
  void aRankHasNoRowForItselfNorOverATransportThatDoesNotJoin() {
    OwnerLayout owner = LAYOUT.owner(1);
    assertThatThrownBy(() -> owner.signalSlot(1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "no row for this peer: window=w, owner=1, peer=1, kind=SELF, transport=SELF,"
                + " rdmaRows=RDMA_PEERS; name a peer, and a transport that joins the two");
    assertThatThrownBy(() -> owner.barrierSlot(1, 0)).hasMessageContaining("kind=SELF");
    assertThatThrownBy(() -> owner.counterSlot(1, 0)).hasMessageContaining("kind=SELF");
    assertThatThrownBy(() -> owner.counterSlot(2, 0)).hasMessageContaining("kind=NVLINK");
    assertThatThrownBy(() -> owner.signalSlot(2, 0, PeerKind.RDMA))
        .hasMessageContaining("kind=NVLINK, transport=RDMA");
    assertThatThrownBy(() -> owner.signalSlot(4, 0, PeerKind.NVLINK))
        .hasMessageContaining("kind=RDMA, transport=NVLINK");
    OwnerLayout wide = WindowLayout.of(SPEC.withRdmaRows(RdmaRows.EVERY_PEER), TOPOLOGY).owner(1);
    assertThatThrownBy(() -> wide.signalSlot(1, 0, PeerKind.RDMA))
        .hasMessageContaining("kind=SELF, transport=RDMA");
    assertThatThrownBy(() -> wide.signalSlot(4, 0, PeerKind.NVLINK))
        .hasMessageContaining("transport=NVLINK");
  }

  @Test
  void idsAndRanksOutOfRangeAreRefused() {
    OwnerLayout owner = LAYOUT.owner(1);
    for (int bad : new int[] {-1, 3}) {
      assertThatThrownBy(() -> owner.signalSlot(0, bad))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("signal out of range: signal=" + bad + ", count=3; use 0 to 2");
    }
    assertThatThrownBy(() -> owner.barrierSlot(0, 2)).hasMessageContaining("barrier=2, count=2");
    assertThatThrownBy(() -> owner.counterSlot(4, 2)).hasMessageContaining("counter=2, count=2");
    assertThatThrownBy(
            () -> WindowLayout.of(WindowSpec.named("w"), TOPOLOGY).owner(0).signalSlot(1, 0))
        .hasMessage("signal out of range: signal=0, count=0; none was declared");
    assertThatThrownBy(() -> owner.signalSlot(6, 0)).hasMessageContaining("rank=6, world=6");
    assertThatThrownBy(() -> LAYOUT.owner(6)).hasMessageContaining("rank=6, count=6");
    assertThatThrownBy(() -> LAYOUT.owner(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void onlyTheStartOfASlotNamesIt() {
    OwnerLayout owner = LAYOUT.owner(0);
    for (long bad : new long[] {-128, 64, 2 * 5 * 128}) {
      assertThatThrownBy(() -> owner.slotAt(SlotMemory.NVLINK, bad))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(
              "no slot: window=w, owner=0, memory=NVLINK, offset="
                  + bad
                  + ", bytes=1280; use a multiple of 128 below the size");
    }
  }

  @Test
  void dataSizesMustBeForThisWorld() {
    WindowSpec three = SPEC.withData(DataSizes.perRank(1, 2, 3));
    assertThat(WindowLayout.of(three, Topology.grid(1, 3)).owner(2).dataBytes()).isEqualTo(3);
    assertThatThrownBy(() -> WindowLayout.of(three, TOPOLOGY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(
            "data sizes for another world: window=w, world=6, sizes=[1, 2, 3];");
  }
}
