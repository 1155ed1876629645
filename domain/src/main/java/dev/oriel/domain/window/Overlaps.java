package dev.oriel.domain.window;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds regions that share bytes. */
public final class Overlaps {

  private Overlaps() {}

  /** Two regions that share a byte. */
  public record Pair(Region first, Region second) {}

  /**
   * Two overlapping regions of {@code regions}, if there are any; the first by window and offset.
   */
  public static Optional<Pair> firstIn(List<Region> regions) {
    List<Region> sorted =
        regions.stream()
            .filter(region -> region.length() > 0)
            .sorted(Comparator.comparing(Region::window).thenComparingLong(Region::offset))
            .toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i - 1).overlaps(sorted.get(i))) {
        return Optional.of(new Pair(sorted.get(i - 1), sorted.get(i)));
      }
    }
    return Optional.empty();
  }
}
