package dev.oriel.ibverbs.window;

import dev.oriel.domain.window.WindowSlot;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.SlotWords;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/**
 * The words of slots: a peer's is written through the queue pair that carried the puts.
 *
 * @param placings of all windows of the communicator, since a signal also announces puts through
 *     the others
 */
record VerbsWords(
    FabricMonitor turns,
    VerbsMemory own,
    Map<Integer, RemotePeer> peers,
    List<PlacementTracker> placings)
    implements SlotWords {

  @Override
  public void ready(WindowSlot slot, Deadline deadline) throws TimeoutException {
    for (PlacementTracker placing : placings) {
      placing.before(slot.owner(), deadline);
    }
  }

  @Override
  public void set(int lane, WindowSlot slot, long value) {
    try {
      ready(slot, turns.deadline());
    } catch (TimeoutException e) {
      throw new MachineException(String.valueOf(e.getMessage()), e);
    }
    Objects.requireNonNull(peers.get(slot.owner())).word(slot.offset(), value);
  }

  @Override
  public long get(WindowSlot slot) {
    return own.wordAcquire(slot.offset());
  }
}
