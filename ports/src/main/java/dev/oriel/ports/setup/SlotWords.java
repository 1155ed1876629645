package dev.oriel.ports.setup;

import dev.oriel.domain.window.Slot;
import dev.oriel.ports.Deadline;
import java.util.concurrent.TimeoutException;

/** The words behind a window's slots. */
public interface SlotWords {

  /**
   * Waits until a word can be set behind all that the lane did before, where that has to be waited
   * for; {@link #set} waits for what is left of it.
   *
   * @throws TimeoutException naming who keeps it from being so; nothing was set
   */
  default void ready(Slot slot, Deadline deadline) throws TimeoutException {
    // Most machines set words in order.
  }

  /** Sets a word of whichever rank, behind all that the lane did before. */
  void set(int lane, Slot slot, long value);

  /** An own word; what its writer did before it set it is then visible. */
  long get(Slot slot);
}
