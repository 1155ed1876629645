package dev.oriel.domain.program;

import java.util.List;

/**
 * Sources of a move that follow each other: the region for {@code variable} = 0, 1, … {@code count}
 * - 1, in that order; one region if there is no variable. Every rank has the same count.
 */
public record SourceSeries(String variable, Expr count, Region region) {

  /** One region. */
  public static SourceSeries of(Region region) {
    return new SourceSeries("", Expr.of(1), region);
  }

  /** Each of those regions, one after another. */
  public static List<SourceSeries> of(List<Region> regions) {
    return regions.stream().map(SourceSeries::of).toList();
  }

  /** Whether it is one region. */
  public boolean single() {
    return variable.isEmpty();
  }
}
