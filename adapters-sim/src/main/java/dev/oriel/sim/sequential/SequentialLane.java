package dev.oriel.sim.sequential;

import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;

/** A lane as the code in it sees it; its operations are visible at once, one at a time. */
record SequentialLane(int number, SequentialFabric rank) implements Lane {

  @Override
  public Window window(Window window) {
    if (window instanceof SequentialWindow own && own.memory().fabric() == rank.name()) {
      return own.in(number);
    }
    throw foreign(window);
  }

  @Override
  public LocalBuffer buffer(LocalBuffer buffer) {
    if (buffer instanceof Window window) {
      return window(window);
    }
    if (buffer instanceof SequentialBuffer own && own.memory().fabric() == rank.name()) {
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
