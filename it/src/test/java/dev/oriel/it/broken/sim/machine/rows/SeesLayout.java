package dev.oriel.it.broken.sim.machine.rows;

import dev.oriel.it.broken.sim.machine.layout.Fine;

/** Uses a package that comes after its own. */
final class SeesLayout {
  private final Fine fine = new Fine();

  @Override
  public String toString() {
    return String.valueOf(fine.size);
  }
}
