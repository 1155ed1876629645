package dev.oriel.domain.program;

import java.util.List;

/**
 * A post-condition at each rank's own end: for everything that {@code given} names, one after
 * another, {@code bytes} of the rank's own {@code actual} are what {@code combine} makes of {@code
 * expected} as it was at the start, each source exactly once.
 */
public record Ensure(
    List<Given> given,
    Region actual,
    Combine combine,
    Grouping grouping,
    List<Series> expected,
    Expr bytes) {

  public Ensure {
    given = List.copyOf(given);
    expected = List.copyOf(expected);
  }

  /** The bytes of one region. */
  public static Ensure copy(List<Given> given, Region actual, Region expected, Expr bytes) {
    return new Ensure(
        given, actual, Combine.COPY, Grouping.AT_ONCE, List.of(Series.of(expected)), bytes);
  }
}
