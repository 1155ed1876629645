package dev.oriel.sim.machine.finding;

/**
 * What is wrong with an execution.
 *
 * @param kind its class
 * @param message a sentence with the facts and the fix
 * @param about what two findings of one kind have in common if they tell of one defect, in
 *     whichever world, size or layer; empty where the kind alone has to do
 */
public record Finding(Kind kind, String message, String about) {

  public Finding(Kind kind, String message) {
    this(kind, message, "");
  }

  /** What a program can do wrong. */
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
    /** A race with a rank that an awaited sum was made up without: it was meant to tell of it. */
    SUM,
    /** A slot is set while an addition to it may be under way. */
    RESET,
    /** Something that is not given back when the last launch has ended. */
    LEAK,
    /** Rank code threw, as a failed assertion does. */
    THROWN,
    /** Rank code looks for ever at what nobody changes. */
    LIVELOCK,
    /** Rank code did another thing when everything was repeated. */
    VARIES;

    /** The word that verdicts use. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
