package dev.oriel.sim.machine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What was made of several sources, once it is noted: of which, so that it can be made again of
 * renamed ones.
 */
final class Made {
  /** Sources lie one behind another. */
  @SuppressWarnings("ArrayRecordComponent") // a copy of its own, and changed by nobody
  record Term(Making making, long[] data, int sources, int length) {}

  /** A byte that was made. */
  record Octet(Term term, int at) {}

  private final Map<Long, Octet> known = new HashMap<>();
  private boolean notes;

  /** From now on it is noted. */
  void note() {
    notes = true;
  }

  /** Makes one source of several, see {@link Making#make}. */
  void make(Making making, long[] data, int sources, int length) {
    if (!notes) {
      making.make(data, sources, length);
      return;
    }
    int taken = IntStream.range(0, sources).map(k -> making.taken(k, length)).sum();
    Term term = new Term(making, Arrays.copyOf(data, taken), sources, length);
    making.make(data, sources, length);
    Set<Long> own = new HashSet<>();
    for (long octet : term.data) {
      own.add(octet);
    }
    for (int i = 0; i < length; i++) {
      // What was only moved is known by itself.
      if (!own.contains(data[i])) {
        known.putIfAbsent(data[i], new Octet(term, i));
      }
    }
  }

  /** What the byte was made of; null if it was not made. */
  @Nullable Octet of(long octet) {
    return known.get(octet);
  }
}
