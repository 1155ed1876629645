package dev.oriel.sim.machine;

/** A lane goes on for longer than anybody waits without doing what others can notice. */
final class Endless extends RuntimeException {
  private static final long serialVersionUID = 1;

  Endless() {
    super("endless", null, false, false);
  }
}
