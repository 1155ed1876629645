package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;

/** A lane as the code in it sees it; lanes of a rank take turns at its queues. */
record VerbsLane(int number, VerbsFabric rank) implements Lane {

  @Override
  public Window window(Window window) {
    if (window instanceof VerbsWindow own && own.memory().of(rank)) {
      return own.in(number);
    }
    throw foreign(window);
  }

  @Override
  public LocalBuffer buffer(LocalBuffer buffer) {
    if (buffer instanceof Window window) {
      return window(window);
    }
    if (buffer instanceof VerbsBuffer own && own.memory().of(rank)) {
      return own;
    }
    throw foreign(buffer);
  }

  private static IllegalArgumentException foreign(LocalBuffer buffer) {
    return new IllegalArgumentException(
        "buffer of another rank: class=%s; pass a window or buffer of this rank"
            .formatted(buffer.getClass().getSimpleName()));
  }
}
