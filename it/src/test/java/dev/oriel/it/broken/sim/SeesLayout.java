package dev.oriel.it.broken.sim;

import dev.oriel.it.broken.sim.machine.layout.Fine;

/** Uses an inner package of the machine. */
final class SeesLayout {
  private final Fine fine = new Fine();

  @Override
  public String toString() {
    return String.valueOf(fine.size);
  }
}
