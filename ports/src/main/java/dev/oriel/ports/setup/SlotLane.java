package dev.oriel.ports.setup;

import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;

/**
 * A lane's handle on a machine whose windows are {@link SlotWindow}s: a thread that moves bytes,
 * signals and waits on its own.
 *
 * @param owner of this rank's memory
 */
record SlotLane(int number, Object owner) implements Lane {

  @Override
  public Window window(Window window) {
    if (window instanceof SlotWindow<?> own && owns(own)) {
      return own.in(number);
    }
    throw WindowErrors.otherBuffer(window);
  }

  @Override
  public LocalBuffer buffer(LocalBuffer buffer) {
    if (buffer instanceof Window window) {
      return window(window);
    }
    if (buffer instanceof OwnBuffer<?> own && owns(own)) {
      return own;
    }
    throw WindowErrors.otherBuffer(buffer);
  }

  @SuppressWarnings("ReferenceEquality") // the owner of the same membership, not an equal one
  private boolean owns(MachineBuffer<?> buffer) {
    return buffer.memory().owner() == owner;
  }
}
