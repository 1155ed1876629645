package dev.oriel.it.broken.sim.machine.layout;

/** Is public only for the machine. */
public final class Fine {
  /** Read by the machine. */
  public int size;

  /** Called by the machine. */
  public int number() {
    size++;
    return size;
  }
}
