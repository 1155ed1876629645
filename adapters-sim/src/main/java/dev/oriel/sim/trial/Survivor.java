package dev.oriel.sim.trial;

import java.util.Optional;

/**
 * What is known of a mutant that no strategy killed.
 *
 * @param likeness how all that it can come to compares with what the original can
 * @param states how many states that took
 * @param edge the operation that makes the mistake harmless, if one was found
 */
public record Survivor(Likeness likeness, long states, Optional<Edge> edge) {

  /** How two sets of outcomes compare. */
  public enum Likeness {
    /** Every execution of both was seen, and they come to the same. */
    SAME,
    /** They come to the same by every way of synchronisation, and else as far as looked. */
    SYNCHRONISED,
    /** They came to the same as far as the budget reached. */
    BOUNDED,
    /** They come to different ends. */
    DIFFERENT
  }

  /**
   * An operation without which the mistake shows.
   *
   * @param operation as the program writes it, and where
   * @param finding what is found once both are wrong
   * @param alone what is found if the operation alone is missing; empty if nothing is
   */
  public record Edge(String operation, String finding, String alone) {
    @Override
    public String toString() {
      return alone.isEmpty()
          ? "redundant with %s: without both, %s".formatted(operation, finding)
          : "ordered by %s: without it, %s".formatted(operation, finding);
    }
  }

  /** Whether the mistake is known to change nothing. */
  public boolean equivalent() {
    return likeness == Likeness.SAME;
  }

  /** What a table says of it. */
  public String word() {
    return switch (likeness) {
      case SAME -> "equivalent";
      case SYNCHRONISED -> "synchronises alike";
      case BOUNDED -> "bounded";
      case DIFFERENT -> "survives";
    };
  }

  @Override
  public String toString() {
    String what =
        switch (likeness) {
          case SAME -> "full outcome set equals the original's";
          case SYNCHRONISED ->
              "bounded: outcome set equals the original's by synchronisation, in full as far as looked";
          case BOUNDED -> "bounded: outcome set equals the original's as far as looked";
          case DIFFERENT -> "outcome set differs from the original's";
        };
    return "%s (launches=%d, states=%d); %s"
        .formatted(
            what,
            Setting.FULL_LAUNCHES,
            states,
            edge.map(Edge::toString).orElse("rests on no single operation"));
  }
}
