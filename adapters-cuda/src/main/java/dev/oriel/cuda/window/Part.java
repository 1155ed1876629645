package dev.oriel.cuda.window;

import dev.oriel.domain.window.Slot;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.ports.setup.SlotWords;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * One rank's part of a window: its bytes on a GPU, and its slots, which only threads of this
 * process use, as words of the process.
 */
record Part(GpuMemory data, AtomicLongArray slots) {

  /** The words behind the slots of all ranks, each under the monitor. */
  record Words(World world, int rank, List<Part> parts) implements SlotWords {

    @Override
    public void set(int lane, Slot slot, long value) {
      // Puts have come to their end when their call returns, so what follows is behind them.
      world.change(() -> parts.get(slot.owner()).slots().set(index(slot), value));
    }

    @Override
    public long get(Slot slot) {
      return world.locked(() -> parts.get(rank).slots().get(index(slot)));
    }

    private static int index(Slot slot) {
      return Math.toIntExact(slot.offset() / SlotMemory.NVLINK.stride());
    }
  }
}
