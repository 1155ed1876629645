package dev.oriel.sim.weak;

/** Vector clocks as plain arrays, one component per agent. */
final class Clock {
  private Clock() {}

  /** Makes {@code into} know all that {@code from} knows. */
  static void join(int[] into, int[] from) {
    for (int i = 0; i < into.length; i++) {
      if (from[i] > into[i]) {
        into[i] = from[i];
      }
    }
  }
}
