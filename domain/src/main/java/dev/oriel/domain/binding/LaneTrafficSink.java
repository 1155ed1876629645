package dev.oriel.domain.binding;

import java.util.function.Supplier;

/** Receives everything that one lane may send to, or await from, another rank. */
interface LaneTrafficSink {
  /** A rank that is known only while the lane runs. */
  int ANY = -1;

  /** Ignores everything. */
  LaneTrafficSink IGNORED =
      new LaneTrafficSink() {
        @Override
        public void sent(Kind kind, String name, int from, int to, Span span) {}

        @Override
        public void awaited(
            Kind kind, String name, int from, int at, Span span, Supplier<CheckedPlace> where) {}
      };

  /** The carrier of a notification. */
  enum Kind {
    SIGNAL,
    PACKETS
  }

  /** Slot indices or packet bytes from {@code low} to {@code high}, both inclusive. */
  record Span(long low, long high) {
    boolean meets(Span other) {
      return low <= other.high && other.low <= high;
    }
  }

  void sent(Kind kind, String name, int from, int to, Span span);

  void awaited(Kind kind, String name, int from, int at, Span span, Supplier<CheckedPlace> where);
}
