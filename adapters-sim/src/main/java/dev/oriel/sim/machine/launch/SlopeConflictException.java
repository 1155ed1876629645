package dev.oriel.sim.machine.launch;

/** No slope fits what two instructions do with a value. */
final class SlopeConflictException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SlopeConflictException(String message) {
    super(message, null, false, false);
  }
}
