package dev.oriel.domain.program;

import dev.oriel.domain.window.Comparison;
import java.util.List;
import java.util.Optional;

/**
 * A post-condition that each rank states about its own memory. For every combination of the names
 * in {@code given} for which {@code when} holds, {@code bytes} of the rank's own {@code actual}
 * equal the result of {@code combine} on the initial bytes of {@code expected}, each source exactly
 * once.
 */
public record Ensure(
    List<EnsureBinder> given,
    Optional<When> when,
    Region actual,
    Combine combine,
    Grouping grouping,
    List<SourceSeries> expected,
    Expr bytes) {

  /** A condition for a 64-bit word of the rank's own memory at the end of the launch. */
  public record When(Region word, Comparison comparison, Expr value) {}

  public Ensure {
    given = List.copyOf(given);
    expected = List.copyOf(expected);
  }

  /** The bytes of one region. */
  public static Ensure copy(List<EnsureBinder> given, Region actual, Region expected, Expr bytes) {
    return new Ensure(
        given,
        Optional.empty(),
        actual,
        Combine.COPY,
        Grouping.AT_ONCE,
        List.of(SourceSeries.of(expected)),
        bytes);
  }
}
