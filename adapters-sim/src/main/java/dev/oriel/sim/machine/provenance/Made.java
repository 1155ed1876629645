package dev.oriel.sim.machine.provenance;

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
public final class Made {
  /** Sources lie one behind another. */
  @SuppressWarnings("ArrayRecordComponent") // a copy of its own, and changed by nobody
  public record Term(Making making, long[] data, int sources, int length) {}

  /** A byte that was made. */
  public record Octet(Term term, int at) {}

  private final Map<Long, Octet> known = new HashMap<>();
  private boolean notes;

  /** What a byte that was made takes, and what a term does besides its data. */
  private static final int OCTET = 128;

  private static final int TERM = 64;

  /** Bytes that everything noted takes. */
  private long footprint;

  public long footprint() {
    return footprint;
  }

  /** From now on it is noted. */
  public void note() {
    notes = true;
  }

  /** Makes one source of several, see {@link Making#make}. */
  public void make(Making making, long[] data, int sources, int length) {
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
    int before = known.size();
    for (int i = 0; i < length; i++) {
      // What was only moved is known by itself.
      if (!own.contains(data[i])) {
        known.putIfAbsent(data[i], new Octet(term, i));
      }
    }
    int fresh = known.size() - before;
    footprint += fresh == 0 ? 0 : TERM + (long) Long.BYTES * taken + (long) OCTET * fresh;
  }

  /** How many bytes are known to be made. */
  public int count() {
    return known.size();
  }

  /** What the byte was made of; null if it was not made. */
  public @Nullable Octet of(long octet) {
    return known.get(octet);
  }
}
