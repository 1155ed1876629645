package dev.oriel.sim.sequential;

import dev.oriel.ports.LocalBuffer;

/** A buffer that lies in memory of this machine. */
interface Owned {
  SequentialMemory memory();

  /** The memory of {@code buffer}, if a rank with that fabric owns it. */
  static SequentialMemory of(LocalBuffer buffer, SequentialMemory sibling) {
    if (buffer instanceof Owned owned && owned.memory().fabric() == sibling.fabric()) {
      return owned.memory();
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this one"
            .formatted(buffer.getClass().getSimpleName()));
  }
}
