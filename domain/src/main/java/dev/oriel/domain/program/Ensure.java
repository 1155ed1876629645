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
