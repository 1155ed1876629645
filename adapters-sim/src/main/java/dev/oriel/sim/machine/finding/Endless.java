package dev.oriel.sim.machine.finding;

/** A lane goes on for longer than anybody waits without doing what others can notice. */
public final class Endless extends RuntimeException {
  private static final long serialVersionUID = 1;

  public Endless(String who, int instructions) {
    super(
        "%s took %d instructions without a step that anybody could notice; let its loop end"
            .formatted(who, instructions),
        null,
        false,
        false);
  }
}
