package dev.oriel.sim.machine.finding;

/** Ends an execution because a lane ran too long without a step that other agents could observe. */
public final class EndlessLaneException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public EndlessLaneException(String who, int instructions) {
    super(
        "%s took %d instructions without a visible step; let its loop end"
            .formatted(who, instructions),
        null,
        false,
        false);
  }
}
