package dev.oriel.it.broken.sim.machine;

import dev.oriel.it.broken.sim.machine.layout.Fine;

/** Is above every inner package, and may use each. */
public final class Core {
  /** Calls an inner package. */
  public int asks() {
    return new Fine().number();
  }
}
