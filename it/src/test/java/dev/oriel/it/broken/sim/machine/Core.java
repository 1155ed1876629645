package dev.oriel.it.broken.sim.machine;

import dev.oriel.it.broken.sim.machine.layout.Fine;

/** Stands behind every room, and may look into each. */
public final class Core {
  /** Asks a room. */
  public int asks() {
    return new Fine().number();
  }
}
