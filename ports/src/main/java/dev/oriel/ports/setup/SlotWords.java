package dev.oriel.ports.setup;

import dev.oriel.domain.window.Slot;

/** The words behind a window's slots. */
public interface SlotWords {

  /** Sets a word of whichever rank, behind all that the lane did before. */
  void set(int lane, Slot slot, long value);

  /** An own word; what its writer did before it set it is then visible. */
  long get(Slot slot);
}
