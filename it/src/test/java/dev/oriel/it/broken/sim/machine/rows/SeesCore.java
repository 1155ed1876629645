package dev.oriel.it.broken.sim.machine.rows;

import dev.oriel.it.broken.sim.machine.Core;

/** Looks at the machine that stands on it. */
final class SeesCore {
  private final Core core = new Core();

  @Override
  public String toString() {
    return String.valueOf(core.asks());
  }
}
