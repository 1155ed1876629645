package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.Gpu;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;

/** A lane as the code in it sees it: a thread that copies, signals and waits for itself. */
record GpuLane(int number, Bootstrap ranks, Gpu gpu) implements Lane {

  @Override
  public Window window(Window window) {
    if (window instanceof GpuWindow own && own.isOf(ranks)) {
      return own.in(number);
    }
    throw foreign(window);
  }

  @Override
  public LocalBuffer buffer(LocalBuffer buffer) {
    if (buffer instanceof Window window) {
      return window(window);
    }
    if (buffer instanceof GpuBuffer own && own.memory().gpu() == gpu) {
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
