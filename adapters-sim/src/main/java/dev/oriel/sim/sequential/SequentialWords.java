package dev.oriel.sim.sequential;

import dev.oriel.domain.window.Slot;
import dev.oriel.ports.setup.SlotWords;
import java.util.Map;
import java.util.Objects;

/** The words of slots, in memory whose contents are visible at once. */
record SequentialWords(Parts<SequentialMemory> own, Map<Integer, Parts<SequentialRemote>> peers)
    implements SlotWords {

  @Override
  public void set(int lane, Slot slot, long value) {
    Parts<SequentialRemote> peer = Objects.requireNonNull(peers.get(slot.owner()));
    peer.slots(slot.memory()).wordRelease(lane, slot.offset(), value);
  }

  @Override
  public long get(Slot slot) {
    return own.slots(slot.memory()).wordAcquire(slot.offset());
  }
}
