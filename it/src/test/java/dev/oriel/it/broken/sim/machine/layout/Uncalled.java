package dev.oriel.it.broken.sim.machine.layout;

/** Shows the machine a method that it does not call. */
public final class Uncalled {
  /** Nobody calls it. */
  public int forgotten() {
    return 1;
  }
}
