package dev.oriel.sim.machine;

/**
 * What ends an execution besides a wrong result or a deadlock.
 *
 * @param races unordered accesses; without it an unordered read may find either value
 * @param words narrow scopes, overwritten awaits, second writers, mixed atomics
 */
public record Detectors(boolean races, boolean words) {
  /** All of them. */
  public static final Detectors ALL = new Detectors(true, true);

  /** Only what results show. */
  public static final Detectors VALUES = new Detectors(false, false);
}
