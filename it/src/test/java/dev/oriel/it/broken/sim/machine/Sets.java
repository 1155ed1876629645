package dev.oriel.it.broken.sim.machine;

import dev.oriel.it.broken.sim.machine.layout.Fine;

/** Sets a field that is public only for reading. */
final class Sets {
  private final Fine fine = new Fine();

  @Override
  public String toString() {
    fine.size = 2;
    return String.valueOf(fine.size);
  }
}
