package dev.oriel.cuda.window;

import dev.oriel.ports.LocalBuffer;

/** A buffer in a GPU's memory. */
interface Located {
  GpuMemory memory();

  /** The memory of {@code buffer}, if it is on that rank's GPU. */
  @SuppressWarnings("ReferenceEquality") // the device of the same membership, not one alike
  static GpuMemory of(LocalBuffer buffer, GpuMemory sibling) {
    if (buffer instanceof Located located && located.memory().device() == sibling.device()) {
      return located.memory();
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this one"
            .formatted(buffer.getClass().getSimpleName()));
  }
}
