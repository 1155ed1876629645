package dev.oriel.domain.program;

import java.util.List;

/**
 * A post-condition at each rank's own end: for every rank {@code variable} of {@code over}, {@code
 * bytes} of the rank's own {@code actual} are what {@code combine} makes of {@code expected} as it
 * was at the start, each source exactly once.
 */
public record Ensure(
    String variable,
    Peers over,
    Region actual,
    Combine combine,
    Grouping grouping,
    List<Series> expected,
    Expr bytes) {

  /** In which steps the sources of a reduction become one. */
  public enum Grouping {
    /** In the written order, held in the accumulator's type to the end. */
    AT_ONCE,
    /** In the written order, rounded to the element's type behind every source but the first. */
    STEPWISE,
    /** In whatever order and steps: only where they make no difference to the result. */
    ANY;

    /** How the text form writes it behind the types; empty where nothing is written. */
    String spelling() {
      return switch (this) {
        case AT_ONCE -> "";
        case STEPWISE -> "stepwise";
        case ANY -> "any";
      };
    }
  }

  public Ensure {
    expected = List.copyOf(expected);
  }

  /** The bytes of one region. */
  public static Ensure copy(
      String variable, Peers over, Region actual, Region expected, Expr bytes) {
    return new Ensure(
        variable,
        over,
        actual,
        Combine.COPY,
        Grouping.AT_ONCE,
        List.of(Series.of(expected)),
        bytes);
  }
}
