package dev.oriel.sim.machine.finding;

/**
 * One violation in an execution.
 *
 * @param kind its class
 * @param message a sentence with the facts and the fix
 * @param about a key that two findings of one kind share if they report one defect, in whichever
 *     world, size or layer; empty where the kind is the only key
 */
public record Finding(Kind kind, String message, String about) {

  public Finding(Kind kind, String message) {
    this(kind, message, "");
  }

  /** The kinds of violations. */
  public enum Kind {
    RACE,
    DEADLOCK,
    VALUE,
    CHECK,
    SCOPE,
    OVERWRITE,
    WRITERS,
    ATOMICITY,
    BOUNDS,
    /**
     * A race with a rank whose addition an awaited sum lacks, although the sum was to announce it.
     */
    SUM,
    /** A slot is set while an addition to it may be under way. */
    RESET,
    /** Something that is not returned when the last launch has ended. */
    LEAK,
    /** Rank code threw, as a failed assertion does. */
    THROWN,
    /** Rank code polls for ever something that no agent changes. */
    LIVELOCK,
    /** Rank code behaved differently when everything was repeated. */
    VARIES;

    /** The word for this kind in verdicts. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
