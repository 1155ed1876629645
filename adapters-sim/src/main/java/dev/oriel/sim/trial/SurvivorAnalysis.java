package dev.oriel.sim.trial;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * The analysis of a mutant that no strategy killed.
 *
 * @param likeness how its possible outcomes compare with those of the original
 * @param states the number of the mutant's states explored in full; empty if it was not explored
 * @param launches the number of launches explored in full
 * @param reason why the mistake changes nothing, if known
 */
public record SurvivorAnalysis(
    Likeness likeness, OptionalLong states, int launches, Optional<Reason> reason) {

  /** The results of a comparison of two sets of outcomes. */
  public enum Likeness {
    /** Both lower to the same steps in this world, so no execution differs. */
    STEPS,
    /**
     * Every execution of both was explored in full, and every order of synchronisation over all
     * launches; their outcomes are equal. If lanes read words of inputs, each of these words had
     * every value to which the text compares it.
     */
    SAME,
    /**
     * Their outcomes are equal over every order of synchronisation; in full one has too many
     * states.
     */
    SYNCHRONISED,
    /**
     * The budget ended before all orders of synchronisation were explored; no difference is known.
     */
    BOUNDED,
    /** Their outcomes differ. */
    DIFFERENT
  }

  /** Why a mistake changes nothing. */
  public sealed interface Reason permits Edge, Way, Nothing {}

  /**
   * Something else orders the accesses that the mistake no longer orders.
   *
   * @param operation the operation after which the later access comes
   * @param without the kind of the finding once that operation is missing, too. It is the empty
   *     text if yet another operation provides the order, and absent if it is no operation, but the
   *     lane's own order or a launch
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

  /** The mistake removes no order on which two accesses of the same bytes rely. */
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
   * @param finding the finding once both are wrong
   * @param alone the finding if the operation alone is missing; empty if there is none
   */
  public record Edge(String operation, String finding, String alone) implements Reason {
    @Override
    public String toString() {
      return alone.isEmpty()
          ? "redundant with %s: without both, %s".formatted(operation, finding)
          : "ordered by %s: without it, %s".formatted(operation, finding);
    }
  }

  /** Whether the mistake is known to change nothing, with the reason. */
  public boolean equivalent() {
    return reason.isPresent() && (likeness == Likeness.STEPS || likeness == Likeness.SAME);
  }

  /** Its word in a table. */
  public String word() {
    return switch (likeness) {
      case STEPS, SAME -> equivalent() ? "equivalent" : "same outcomes";
      case SYNCHRONISED, BOUNDED -> "no difference seen";
      case DIFFERENT -> "survives";
    };
  }

  @Override
  public String toString() {
    String what =
        switch (likeness) {
          case STEPS -> "the same steps as the original";
          case SAME -> "the same outcomes as the original, in every execution";
          case SYNCHRONISED ->
              "the same outcomes as the original, in every order of synchronisation; too many states to explore every execution";
          case BOUNDED -> "no difference from the original within the limit of states";
          case DIFFERENT -> "other outcomes than the original, and no finding";
        };
    String how =
        states.isPresent()
            ? "launches=%d, states=%d".formatted(launches, states.getAsLong())
            : "not explored in full";
    return "%s (%s); %s"
        .formatted(
            what, how, reason.map(Object::toString).orElse("no single operation explains it"));
  }
}
