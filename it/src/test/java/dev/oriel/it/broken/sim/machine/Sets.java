package dev.oriel.it.broken.sim.machine;

import dev.oriel.it.broken.sim.machine.layout.Fine;

/** Sets what is public to be read. */
final class Sets {
  private final Fine fine = new Fine();

  @Override
  public String toString() {
    fine.size = 2;
    return String.valueOf(fine.size);
  }
}
