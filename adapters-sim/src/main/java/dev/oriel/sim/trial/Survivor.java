package dev.oriel.sim.trial;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of a mutant that no strategy killed.
 *
 * @param likeness how all that it can come to compares with what the original can
 * @param states how many of the mutant's states were looked at in full; empty if it was not
 * @param launches how many are looked at in full
 * @param reason why the mistake changes nothing, if that was found
 */
public record Survivor(
    Likeness likeness, OptionalLong states, int launches, Optional<Reason> reason) {

  /** How two sets of outcomes compare. */
  public enum Likeness {
    /** Both lower to the same steps in this world, so that no execution differs. */
    STEPS,
    /**
     * Every execution of both was seen in full, and every way of synchronisation of as many
     * launches as there are; they come to the same.
     */
    SAME,
    /** They come to the same by every way of synchronisation; in full one has too many states. */
    SYNCHRONISED,
    /** Ways of synchronisation were left when the budget ended; nothing is known to differ. */
    BOUNDED,
    /** They come to different ends. */
    DIFFERENT
  }

  /** Why a mistake changes nothing. */
  public sealed interface Reason permits Edge, Way, Nothing {}

  /**
   * Something else orders the accesses that the mistake no longer does.
   *
   * @param operation behind which the later access stands
   * @param without what is found once that operation is missing too: nothing, where yet another one
   *     does its work; not there where it is no operation, but the lane's own order or a launch
   */
  public record Way(String operation, String first, String second, Optional<String> without)
      implements Reason {
    @Override
    public String toString() {
      return "ordered by '%s': '%s' before '%s'%s"
          .formatted(
              operation,
              first,
              second,
              without
                  .map(f -> f.isEmpty() ? "; without it, by something else" : "; without it, " + f)
                  .orElse(""));
    }
  }

  /** The mistake takes no order away that two accesses of the same bytes rely on. */
  public enum Nothing implements Reason {
    SAME_STEPS("takes nothing away: lowers to the same steps"),
    NOTHING_LOST("takes no order away in the execution looked at: whatever came first still does"),
    NOTHING_SHARED(
        "takes away an order that no two accesses of the same bytes rely on in the execution looked at");

    private final String words;

    Nothing(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /**
   * An operation without which the mistake shows.
   *
   * @param operation as the program writes it, and where
   * @param finding what is found once both are wrong
   * @param alone what is found if the operation alone is missing; empty if nothing is
   */
  public record Edge(String operation, String finding, String alone) implements Reason {
    @Override
    public String toString() {
      return alone.isEmpty()
          ? "redundant with %s: without both, %s".formatted(operation, finding)
          : "ordered by %s: without it, %s".formatted(operation, finding);
    }
  }

  /** Whether the mistake is known to change nothing, and why. */
  public boolean equivalent() {
    return reason.isPresent() && (likeness == Likeness.STEPS || likeness == Likeness.SAME);
  }

  /** What a table says of it. */
  public String word() {
    return switch (likeness) {
      case STEPS, SAME -> equivalent() ? "equivalent" : "same outcomes";
      case SYNCHRONISED -> "synchronises alike";
      case BOUNDED -> "bounded";
      case DIFFERENT -> "survives";
    };
  }

  @Override
  public String toString() {
    String what =
        switch (likeness) {
          case STEPS -> "same steps as the original's";
          case SAME -> "full outcome set equals the original's";
          case SYNCHRONISED ->
              "bounded: outcome set equals the original's by synchronisation, in full there are too many states";
          case BOUNDED -> "bounded: as far as looked, nothing is known to differ from the original";
          case DIFFERENT -> "outcome set differs from the original's";
        };
    String how =
        states.isPresent()
            ? "launches=%d, states=%d".formatted(launches, states.getAsLong())
            : "not looked at in full";
    return "%s (%s); %s"
        .formatted(what, how, reason.map(Object::toString).orElse("rests on no single operation"));
  }
}
