package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ibverbs.fabric.VerbsMemory;
import dev.oriel.ports.LocalBuffer;

/** A buffer that lies in memory of an RDMA fabric. */
interface Registered {
  VerbsMemory memory();

  /** The memory of {@code buffer}, if a rank with that fabric owns it. */
  static VerbsMemory of(LocalBuffer buffer, VerbsFabric fabric) {
    if (buffer instanceof Registered own && own.memory().of(fabric)) {
      return own.memory();
    }
    throw new IllegalArgumentException(
        "buffer of another communicator: class=%s; pass a window or buffer of this one"
            .formatted(buffer.getClass().getSimpleName()));
  }
}
