package dev.oriel.domain.program;

import java.util.List;

/**
 * A post-condition that each rank states about its own memory. For every combination of the names
 * in {@code given}, {@code bytes} of the rank's own {@code actual} equal the result of {@code
 * combine} on the initial bytes of {@code expected}, each source exactly once.
 */
public record Ensure(
    List<EnsureBinder> given,
    Region actual,
    Combine combine,
    Grouping grouping,
    List<SourceSeries> expected,
    Expr bytes) {

  public Ensure {
    given = List.copyOf(given);
    expected = List.copyOf(expected);
  }

  /** The bytes of one region. */
  public static Ensure copy(List<EnsureBinder> given, Region actual, Region expected, Expr bytes) {
    return new Ensure(
        given, actual, Combine.COPY, Grouping.AT_ONCE, List.of(SourceSeries.of(expected)), bytes);
  }
}
