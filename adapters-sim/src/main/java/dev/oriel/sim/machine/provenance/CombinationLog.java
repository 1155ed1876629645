package dev.oriel.sim.machine.provenance;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Records, once switched on, which sources each combined byte came from. So the byte can be made
 * again from renamed sources.
 */
public final class CombinationLog {
  /** One combination; its sources are adjacent in {@code data}. */
  @SuppressWarnings("ArrayRecordComponent") // a copy of its own, and changed by nobody
  public record Term(SourceCombiner making, long[] data, int sources, int length) {}

  /** A byte of a combination's result. */
  public record Octet(Term term, int at) {}

  private final Map<Long, Octet> known = new HashMap<>();
  private boolean notes;

  /** Bytes of memory for a recorded byte, and for a term besides its data. */
  private static final int OCTET = 128;

  private static final int TERM = 64;

  /** Bytes of memory for all records. */
  private long footprint;

  public long footprint() {
    return footprint;
  }

  /** Switches recording on. */
  public void note() {
    notes = true;
  }

  /** Combines several sources into one, see {@link SourceCombiner#make}. */
  public void make(SourceCombiner making, long[] data, int sources, int length) {
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
      // A byte that was only moved keeps its own origin.
      if (!own.contains(data[i])) {
        known.putIfAbsent(data[i], new Octet(term, i));
      }
    }
    int fresh = known.size() - before;
    footprint += fresh == 0 ? 0 : TERM + (long) Long.BYTES * taken + (long) OCTET * fresh;
  }

  /** How many bytes are recorded as combined. */
  public int count() {
    return known.size();
  }

  /** The combination that made the byte; null if none is recorded. */
  public @Nullable Octet of(long octet) {
    return known.get(octet);
  }
}
