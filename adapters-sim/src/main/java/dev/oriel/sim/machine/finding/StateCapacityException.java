package dev.oriel.sim.machine.finding;

/**
 * Ends an execution because a part of the state was too small. The sizes have grown: build the
 * model again and start over.
 */
public final class StateCapacityException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public StateCapacityException() {
    super("grown", null, false, false);
  }
}
