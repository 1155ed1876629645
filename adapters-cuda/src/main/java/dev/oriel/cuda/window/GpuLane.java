package dev.oriel.cuda.window;

import dev.oriel.cuda.driver.DeviceMemory;
import dev.oriel.ports.Lane;
import dev.oriel.ports.LocalBuffer;
import dev.oriel.ports.Window;

/**
 * A lane as the code in it sees it: a thread that copies, signals and waits for itself.
 *
 * @param device of this membership, and of no other
 */
@SuppressWarnings("ReferenceEquality") // the device of the same membership, not one alike
record GpuLane(int number, DeviceMemory device) implements Lane {

  @Override
  public Window window(Window window) {
    if (window instanceof GpuWindow own && own.memory().device() == device) {
      return own.in(number);
    }
    throw foreign(window);
  }

  @Override
  public LocalBuffer buffer(LocalBuffer buffer) {
    if (buffer instanceof Window window) {
      return window(window);
    }
    if (buffer instanceof GpuBuffer own && own.memory().device() == device) {
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
