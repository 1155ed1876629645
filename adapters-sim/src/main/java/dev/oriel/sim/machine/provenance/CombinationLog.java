package dev.oriel.sim.machine.provenance;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  /** Bytes of memory for a recorded byte at least, and for a term besides its data. */
  private static final int OCTET = 64;

  private static final int TERM = 64;

  private final List<Term> terms = new ArrayList<>();

  /** For each combined byte: the term that made it first, above the byte's place in its result. */
  private final OctetTable known = new OctetTable();

  /** The bytes of the last combination's sources. */
  private final OctetTable sources = new OctetTable();

  private boolean notes;

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
  public void make(SourceCombiner making, long[] data, int count, int length) {
    if (!notes) {
      making.make(data, count, length);
      return;
    }
    int taken = IntStream.range(0, count).map(k -> making.taken(k, length)).sum();
    Term term = new Term(making, Arrays.copyOf(data, taken), count, length);
    making.make(data, count, length);
    sources.clear(taken);
    for (long octet : term.data) {
      sources.putIfAbsent(octet, 0);
    }
    int before = known.size();
    long number = (long) terms.size() << Integer.SIZE;
    for (int i = 0; i < length; i++) {
      // A byte that was only moved keeps its own origin.
      if (sources.get(data[i]) == OctetTable.NONE) {
        known.putIfAbsent(data[i], number | i);
      }
    }
    int fresh = known.size() - before;
    if (fresh > 0) {
      terms.add(term);
      footprint += TERM + (long) Long.BYTES * taken + (long) OCTET * fresh;
    }
  }

  /** How many bytes are recorded as combined. */
  public int count() {
    return known.size();
  }

  /** The combination that made the byte; null if none is recorded. */
  public @Nullable Octet of(long octet) {
    long found = known.get(octet);
    return found == OctetTable.NONE
        ? null
        : new Octet(terms.get((int) (found >>> Integer.SIZE)), (int) found);
  }
}
