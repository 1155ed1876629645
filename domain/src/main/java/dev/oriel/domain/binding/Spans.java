package dev.oriel.domain.binding;

import dev.oriel.domain.binding.Traffic.Span;
import java.util.Map;
import java.util.TreeMap;

/** A union of spans: what overlaps or touches becomes one, so that many lanes cost little. */
final class Spans {
  /** The last element by the first one; no two overlap. */
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  void add(Span span) {
    long low = span.low();
    long high = span.high();
    Map.Entry<Long, Long> below = ends.floorEntry(high + 1);
    while (below != null && below.getValue() >= low - 1) {
      low = Math.min(low, below.getKey());
      high = Math.max(high, below.getValue());
      ends.remove(below.getKey());
      below = ends.floorEntry(high + 1);
    }
    ends.put(low, high);
  }

  boolean meets(Span span) {
    Map.Entry<Long, Long> below = ends.floorEntry(span.high());
    return below != null && below.getValue() >= span.low();
  }
}
