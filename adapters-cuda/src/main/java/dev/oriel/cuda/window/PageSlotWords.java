package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.SharedPages;
import dev.oriel.domain.window.OwnerLayout;
import dev.oriel.domain.window.SlotMemory;
import dev.oriel.domain.window.WindowSlot;
import dev.oriel.ports.setup.SlotWords;
import java.util.List;

/**
 * The slots of all ranks, as words in pages of the host: only host threads wait for them.
 *
 * @param pages of each rank
 */
record PageSlotWords(int rank, List<SharedPages> pages) implements SlotWords {

  /** Bytes of a rank's pages. */
  static long bytes(OwnerLayout layout) {
    return Math.max(1, layout.bytes(SlotMemory.NVLINK) / SlotMemory.NVLINK.stride()) * Long.BYTES;
  }

  @Override
  public void set(int lane, WindowSlot slot, long value) {
    // Puts are complete when their call returns: they happen before this release.
    pages.get(slot.owner()).set(offset(slot), value);
  }

  @Override
  public long get(WindowSlot slot) {
    return pages.get(rank).get(offset(slot));
  }

  private static long offset(WindowSlot slot) {
    return slot.offset() / SlotMemory.NVLINK.stride() * Long.BYTES;
  }
}
