package dev.oriel.it.broken.sim.machine.layout;

/** Offers the machine a method that it does not call. */
public final class Uncalled {
  /** Has no caller. */
  public int forgotten() {
    return 1;
  }
}
