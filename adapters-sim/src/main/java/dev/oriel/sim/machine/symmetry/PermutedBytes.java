package dev.oriel.sim.machine.symmetry;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.layout.PermutedPlaces;
import dev.oriel.sim.machine.provenance.CombinationLog;
import dev.oriel.sim.machine.provenance.ReductionCombiner;
import dev.oriel.sim.machine.provenance.SourceCombiner;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Bytes under a renaming of ranks: a byte's origin says which rank's input it came from. */
final class PermutedBytes {
  private final MachineModel model;
  private final int[] rank;
  private final PermutedPlaces places;

  /** Whether reductions of one source per rank take them in the order of ranks. */
  private final boolean sourcesByRank;

  /** Bytes that inputs may hold, sorted, and what each becomes. */
  private long[] origins = {};

  private long[] renamed = {};

  /** Results for combined bytes, as far as they were requested. */
  private final Map<Long, Long> madeAgain = new HashMap<>();

  private static final int SLOTS = 9;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** A cache by hash: the byte that was last requested, and the answer, since requests repeat. */
  private final long[] asked = new long[1 << SLOTS];

  private final long[] answers = new long[1 << SLOTS];

  /** The number of combined bytes at the last clear; bytes combined since change the answers. */
  private int madeThen = -1;

  /** For ranks of which number r becomes {@code rank[r]}, and bytes that move to those places. */
  PermutedBytes(MachineModel model, int[] rank, PermutedPlaces places, boolean sourcesByRank) {
    this.model = model;
    this.rank = rank;
    this.places = places;
    this.sourcesByRank = sourcesByRank;
  }

  /** The new position of the source of that number, in a combination of so many. */
  int source(SourceCombiner making, int number, int count) {
    return sourcesByRank && making instanceof ReductionCombiner && count == rank.length
        ? rank[number]
        : number;
  }

  /** Maps the bytes of inputs; false if two bytes are equal. */
  boolean complete(int launches) {
    int count = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      count += model.space(m % model.buffers).filled() ? model.bytes[m] : 0;
    }
    long[][] pairs = new long[count * (launches + 1)][];
    int next = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      int buffer = m % model.buffers;
      int size = model.space(buffer).filled() ? model.bytes[m] : 0;
      int from = m / model.buffers;
      for (int i = 0; i < size; i++) {
        for (int launch = 0; launch <= launches; launch++) {
          pairs[next++] =
              new long[] {
                model.inputs.at(from, launch, buffer, i),
                model.inputs.at(rank[from], launch, buffer, places.at(from, buffer, i))
              };
        }
      }
    }
    forget();
    Arrays.sort(pairs, (x, y) -> Long.compare(x[0], y[0]));
    origins = Arrays.stream(pairs).mapToLong(p -> p[0]).toArray();
    renamed = Arrays.stream(pairs).mapToLong(p -> p[1]).toArray();
    boolean apart = Arrays.stream(origins).noneMatch(o -> o >= 0 && o <= 0xFF);
    for (int i = 1; i < origins.length; i++) {
      apart &= origins[i] != origins[i - 1];
    }
    return apart;
  }

  /** The renamed byte: that of the renamed input, or the combination of such bytes. */
  long renamed(long octet) {
    if (madeThen != model.made.count()) {
      forget();
    }
    int slot = slot(octet);
    if (asked[slot] != octet) {
      // The computation may request other bytes.
      long answer = answer(octet);
      asked[slot] = octet;
      answers[slot] = answer;
    }
    return answers[slot];
  }

  private static int slot(long octet) {
    return (int) ((octet * SPREAD) >>> -SLOTS);
  }

  /** Fills every slot with a byte that belongs to another slot. */
  private void forget() {
    Arrays.fill(asked, 0);
    asked[slot(0)] = 1;
    madeThen = model.made.count();
  }

  private long answer(long octet) {
    int at = Arrays.binarySearch(origins, octet);
    if (at >= 0) {
      return renamed[at];
    }
    CombinationLog.Octet made = model.made.of(octet);
    if (made == null) {
      return octet;
    }
    Long known = madeAgain.get(octet);
    if (known == null) {
      known = again(made);
      madeAgain.put(octet, known);
    }
    return known;
  }

  private long again(CombinationLog.Octet made) {
    CombinationLog.Term term = made.term();
    SourceCombiner making = term.making();
    long[] data = term.data().clone();
    for (int i = 0; i < data.length; i++) {
      int source = i / Math.max(1, term.length());
      int into =
          making instanceof ReductionCombiner
              ? source(making, source, term.sources()) * term.length() + i % term.length()
              : i;
      data[into] = renamed(term.data()[i]);
    }
    long[] all = Arrays.copyOf(data, Math.max(data.length, term.length()));
    model.made.make(making, all, term.sources(), term.length());
    return all[made.at()];
  }
}
