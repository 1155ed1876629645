package dev.oriel.domain.window;

import java.util.List;

/**
 * An exchanged window: the range of every rank, all of one generation. Regions are checked against
 * the rank that owns the bytes, never against the calling rank.
 */
public record WindowView(String window, List<RemoteRange> ranges) {

  public WindowView {
    ranges = List.copyOf(ranges);
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException(
          "empty view: window=" + window + ", ranks=0; exchange the window first");
    }
    for (int rank = 0; rank < ranges.size(); rank++) {
      RemoteRange range = ranges.get(rank);
      if (range.owner() != rank || range.generation() != ranges.get(0).generation()) {
        throw new IllegalArgumentException(
            "ranks disagree on a window: window="
                + window
                + ", rank="
                + rank
                + ", owner="
                + range.owner()
                + ", generation="
                + range.generation()
                + ", expected="
                + ranges.get(0).generation()
                + "; exchange the window again on all ranks");
      }
    }
  }

  /** The generation of every range. */
  public long generation() {
    return ranges.get(0).generation();
  }

  /** The range that {@code owner} published. */
  public RemoteRange range(int owner) {
    return ranges.get(IndexChecks.index("rank", owner, ranges.size()));
  }

  /** The start of {@code region} in the mapped allocation of {@code owner}; checks everything. */
  public long resolve(int owner, WindowRegion region, long generation, int alignment) {
    if (!region.window().equals(window)) {
      throw new IllegalArgumentException(
          "region of another window: window="
              + window
              + ", region="
              + region.window()
              + "; address the window that was exchanged");
    }
    return range(owner).resolve(region, generation, alignment);
  }
}
