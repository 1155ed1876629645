package dev.oriel.sim.sequential;

import dev.oriel.domain.window.WindowSlot;
import dev.oriel.ports.setup.SlotWords;
import java.util.Map;
import java.util.Objects;

/** The words of slots, in memory whose contents are visible at once. */
record SequentialWords(
    WindowMemories<SequentialMemory> own, Map<Integer, WindowMemories<SequentialRemote>> peers)
    implements SlotWords {

  @Override
  public void set(int lane, WindowSlot slot, long value) {
    WindowMemories<SequentialRemote> peer = Objects.requireNonNull(peers.get(slot.owner()));
    peer.slots(slot.memory()).wordRelease(lane, slot.offset(), value);
  }

  @Override
  public long get(WindowSlot slot) {
    return own.slots(slot.memory()).wordAcquire(slot.offset());
  }
}
