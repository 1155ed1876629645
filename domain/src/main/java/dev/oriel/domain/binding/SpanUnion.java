package dev.oriel.domain.binding;

import dev.oriel.domain.binding.LaneTrafficSink.Span;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A union of spans: overlapping or adjacent spans are merged, so many lanes cost little. */
final class SpanUnion {
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

  /** The number of elements. */
  long size() {
    return ends.entrySet().stream().mapToLong(e -> e.getValue() - e.getKey() + 1).sum();
  }

  /** Every span, in ascending order; between two of them at least one element is missing. */
  List<Span> all() {
    return ends.entrySet().stream().map(e -> new Span(e.getKey(), e.getValue())).toList();
  }

  /** The union of both. */
  SpanUnion with(SpanUnion other) {
    SpanUnion both = new SpanUnion();
    all().forEach(both::add);
    other.all().forEach(both::add);
    return both;
  }

  /** The elements from 0 to {@code count} - 1 that it does not contain. */
  SpanUnion complement(long count) {
    SpanUnion out = new SpanUnion();
    long next = 0;
    for (Span span : all()) {
      if (span.low() > next) {
        out.add(new Span(next, span.low() - 1));
      }
      next = span.high() + 1;
    }
    if (next < count) {
      out.add(new Span(next, count - 1));
    }
    return out;
  }

  boolean meets(Span span) {
    Map.Entry<Long, Long> below = ends.floorEntry(span.high());
    return below != null && below.getValue() >= span.low();
  }
}
