package dev.oriel.it.broken.sim.machine.rows;

import dev.oriel.it.broken.sim.machine.Core;

/** Uses the machine, which is above it. */
final class SeesCore {
  private final Core core = new Core();

  @Override
  public String toString() {
    return String.valueOf(core.asks());
  }
}
