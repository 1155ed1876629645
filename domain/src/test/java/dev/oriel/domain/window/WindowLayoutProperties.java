package dev.oriel.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.SomeFacts;
import dev.oriel.domain.topology.Topology;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class WindowLayoutProperties {

  private record Place(SlotMemory memory, long offset) {}

  @Provide
  Arbitrary<Topology> topologies() {
    return SomeFacts.topologies(12);
  }

  @Provide
  Arbitrary<WindowSpec> specs() {
    Arbitrary<Integer> count = Arbitraries.integers().between(0, 3);
    return Combinators.combine(count, count, count, Arbitraries.of(RdmaRows.values()))
        .as((s, c, b, rows) -> new WindowSpec("w", DataSizes.NONE, s, c, b, rows));
  }

  @Property(tries = 300)
  void placesAreThoseOfAPlainEnumeration(
      @ForAll("topologies") Topology topology, @ForAll("specs") WindowSpec spec) {
    for (int owner = 0; owner < topology.world(); owner++) {
      assertSameAsEnumeration(WindowLayout.of(spec, topology), owner);
    }
  }

  /** Walks the memory from its start in the documented order, and assigns place after place. */
  private static void assertSameAsEnumeration(WindowLayout layout, int owner) {
    Topology topology = layout.topology();
    WindowSpec spec = layout.spec();
    OwnerLayout own = layout.owner(owner);
    Map<SlotMemory, Long> next = new HashMap<>();
    Map<Place, Integer> writers = new HashMap<>();
    for (SlotUse use : SlotUse.values()) {
      int ids =
          switch (use) {
            case SIGNAL -> spec.signals();
            case BARRIER -> spec.barriers();
            case COUNTER -> spec.counters();
          };
      for (int peer = 0; peer < topology.world(); peer++) {
        for (PeerKind transport : new PeerKind[] {PeerKind.NVLINK, PeerKind.RDMA}) {
          boolean joined =
              topology.kind(owner, peer) == transport
                  || (peer != owner
                      && transport == PeerKind.RDMA
                      && spec.rdmaRows() == RdmaRows.EVERY_PEER);
          if (!joined || (use == SlotUse.COUNTER && transport == PeerKind.NVLINK)) {
            continue;
          }
          for (int id = 0; id < ids; id++) {
            WindowSlot slot =
                switch (use) {
                  case SIGNAL -> own.signalSlot(peer, id, transport);
                  case BARRIER -> own.barrierSlot(peer, id, transport);
                  case COUNTER -> own.counterSlot(peer, id);
                };
            long expected = next.getOrDefault(slot.memory(), 0L);
            assertThat(slot.offset()).isEqualTo(expected);
            assertThat(own.slotAt(slot.memory(), slot.offset())).isEqualTo(slot);
            assertThat(slot.owner()).isEqualTo(owner);
            Place place = new Place(slot.memory(), slot.offset());
            assertThat(writers.put(place, slot.writer())).isNull();
            next.put(slot.memory(), expected + slot.memory().stride());
          }
        }
      }
    }
    for (SlotMemory memory : SlotMemory.values()) {
      assertThat(own.bytes(memory)).isEqualTo(next.getOrDefault(memory, 0L));
    }
  }

  @Property(tries = 64)
  void senderAndOwnerMeanTheSameRowInWorldsOf1To64(@ForAll @IntRange(min = 1, max = 64) int world) {
    for (int gpus = 1; gpus <= world; gpus++) {
      if (world % gpus == 0) {
        WindowSpec spec = WindowSpec.named("w").withSignals(1);
        WindowLayout layout = WindowLayout.of(spec, Topology.grid(world / gpus, gpus));
        for (int owner = 0; owner < world; owner++) {
          int nvlinkRow = 0;
          int rdmaRow = 0;
          for (int sender = 0; sender < world; sender++) {
            if (sender != owner) {
              WindowSlot slot = layout.owner(owner).signalSlot(sender, 0);
              boolean near = sender / gpus == owner / gpus;
              assertThat(slot.offset()).isEqualTo(near ? 128L * nvlinkRow++ : 8L * rdmaRow++);
              assertThat(slot.writer()).isEqualTo(sender);
            }
          }
        }
      }
    }
  }
}
