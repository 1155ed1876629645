package dev.oriel.ports.setup;

import dev.oriel.domain.window.WindowSlot;
import dev.oriel.ports.Deadline;
import java.util.concurrent.TimeoutException;

/** The words in memory that hold a window's slots. */
public interface SlotWords {

  /**
   * Waits until a word can be set in order after all earlier operations of the lane, where that
   * needs a wait; {@link #set} waits for the rest.
   *
   * @throws TimeoutException naming the peer that delays it; nothing was set
   */
  default void ready(WindowSlot slot, Deadline deadline) throws TimeoutException {
    // Most machines set words in order.
  }

  /** Sets a word of any rank, ordered after all earlier operations of the lane. */
  void set(int lane, WindowSlot slot, long value);

  /** Reads an own word with acquire: its writer's operations before it are then visible. */
  long get(WindowSlot slot);
}
