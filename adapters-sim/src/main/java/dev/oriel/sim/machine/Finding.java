package dev.oriel.sim.machine;

/** What is wrong with an execution: its class, and a sentence with the facts and the fix. */
public record Finding(Kind kind, String message) {

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
