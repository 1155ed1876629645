package dev.oriel.sim.trace;

/**
 * A participant to which events happen.
 *
 * @param rank its rank; {@link #NO_RANK} if it belongs to the whole world
 * @param label the lane, or the queue's peer; unique among the actors of a rank in a good recording
 */
public record TraceActor(int rank, String label, ActorRole role) {
  /** The rank of an actor that belongs to none, such as one that injects faults. */
  public static final int NO_RANK = -1;

  public TraceActor {
    if (rank < NO_RANK) {
      throw new IllegalArgumentException(
          "no such rank of an actor: rank=" + rank + ", label=" + label + "; use -1 for none");
    }
  }

  /** Rank and label in one short line, safe for a terminal. */
  public String name() {
    String shown = TerminalText.line(label);
    return rank == NO_RANK ? shown : "r" + rank + "." + shown;
  }
}
