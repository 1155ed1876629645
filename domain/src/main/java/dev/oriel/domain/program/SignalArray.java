package dev.oriel.domain.program;

/**
 * A named array of 64-bit signal slots.
 *
 * <p>Every rank owns one row of {@code count} slots for each source rank, and only that source
 * writes it. A slot thus always shows which peer signalled.
 */
public record SignalArray(String name, Expr count, Use use) {

  /** The operations that may name the array. */
  public sealed interface Use {
    /** Signals, awaits, reads and notifying puts. */
    Use SLOTS = new Slots();

    /** See {@link #SLOTS}. */
    record Slots() implements Use {}

    /**
     * A barrier of the members of a team, or of every rank if the name is empty. Only {@link
     * Call.Meet} of one lane names the array, and its single slot counts that lane's meetings.
     */
    record Barrier(String team) implements Use {}
  }

  public SignalArray(String name, Expr count) {
    this(name, count, Use.SLOTS);
  }

  /** The array in which a barrier of that team counts. */
  public static SignalArray barrier(String name, String team) {
    return new SignalArray(name, Expr.of(1), new Use.Barrier(team));
  }
}
