package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.Model;
import dev.oriel.sim.machine.layout.Places;
import dev.oriel.sim.machine.provenance.Made;
import dev.oriel.sim.machine.provenance.Making;
import dev.oriel.sim.machine.provenance.Reducer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What bytes become when ranks get new names: each tells which rank's input it came from. */
final class RenamedBytes {
  private final Model model;
  private final int[] rank;
  private final Places places;

  /** Whether sources, of which there is one for each rank, are reduced in the order of ranks. */
  private final boolean sourcesByRank;

  /** What inputs may hold, in order, and what each becomes. */
  private long[] origins = {};

  private long[] renamed = {};

  /** What bytes that were made become, as far as anybody asked. */
  private final Map<Long, Long> madeAgain = new HashMap<>();

  private static final int SLOTS = 9;
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  /** By a hash: the byte that was asked for last, since all are again and again, and the answer. */
  private final long[] asked = new long[1 << SLOTS];

  private final long[] answers = new long[1 << SLOTS];

  /** How many bytes were made when these were given: what is made later becomes something else. */
  private int madeThen = -1;

  /** Of ranks of which number r is now called {@code rank[r]}, where bytes then lie so. */
  RenamedBytes(Model model, int[] rank, Places places, boolean sourcesByRank) {
    this.model = model;
    this.rank = rank;
    this.places = places;
    this.sourcesByRank = sourcesByRank;
  }

  /** In which place the source of that number goes into what is made of so many. */
  int source(Making making, int number, int count) {
    return sourcesByRank && making instanceof Reducer && count == rank.length
        ? rank[number]
        : number;
  }

  /** Names the bytes of inputs; false if two bytes cannot be told apart. */
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

  /** What a byte becomes: that of the input that is now called so, or what is made of such. */
  long renamed(long octet) {
    if (madeThen != model.made.count()) {
      forget();
    }
    int slot = slot(octet);
    if (asked[slot] != octet) {
      // Others may be asked for meanwhile.
      long answer = answer(octet);
      asked[slot] = octet;
      answers[slot] = answer;
    }
    return answers[slot];
  }

  private static int slot(long octet) {
    return (int) ((octet * SPREAD) >>> -SLOTS);
  }

  /** In every slot stands a byte that has another slot. */
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
    Made.Octet made = model.made.of(octet);
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

  private long again(Made.Octet made) {
    Made.Term term = made.term();
    Making making = term.making();
    long[] data = term.data().clone();
    for (int i = 0; i < data.length; i++) {
      int source = i / Math.max(1, term.length());
      int into =
          making instanceof Reducer
              ? source(making, source, term.sources()) * term.length() + i % term.length()
              : i;
      data[into] = renamed(term.data()[i]);
    }
    long[] all = Arrays.copyOf(data, Math.max(data.length, term.length()));
    model.made.make(making, all, term.sources(), term.length());
    return all[made.at()];
  }
}
