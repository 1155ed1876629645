package dev.oriel.ibverbs.window;

import dev.oriel.domain.window.Slot;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.setup.SlotWords;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The words behind slots: a peer's are written through the queue pair that carried the puts.
 *
 * @param placings of all windows of the communicator, since a signal stands for puts through each
 */
record VerbsWords(Turns turns, VerbsMemory own, Map<Integer, Far> peers, List<Placing> placings)
    implements SlotWords {

  @Override
  public void set(int lane, Slot slot, long value) {
    turns.change(() -> {
      placings.forEach(placing -> placing.before(slot.owner()));
      Objects.requireNonNull(peers.get(slot.owner())).slots().wordRelease(slot.offset(), value);
    });
  }

  @Override
  public long get(Slot slot) {
    return own.wordAcquire(slot.offset());
  }
}
