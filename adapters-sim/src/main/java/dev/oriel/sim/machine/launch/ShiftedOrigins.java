package dev.oriel.sim.machine.launch;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.CombinationLog;
import dev.oriel.sim.machine.provenance.InputPattern;
import dev.oriel.sim.machine.provenance.InputPlaces;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Bytes as they would be some launches earlier. A byte of an input becomes the byte at the same
 * place of an earlier launch. A byte of a word that lanes load keeps its value, and only its origin
 * changes. A combined byte becomes the combination of such bytes.
 *
 * <p>Bytes of launches that have ended on all ranks count as bytes of the last of these launches.
 * That loses nothing. No post-condition that is still to be judged promises such a byte, so each of
 * them is wrong in the same outputs. Steps depend on no byte of an input except on the value of a
 * word that lanes load, which it keeps.
 */
final class ShiftedOrigins {
  private final MachineModel model;

  /** Where bytes of inputs are from, except words that lanes load. */
  private final InputPlaces places = new InputPlaces();

  /** The same for words that lanes load, by origin: their values do not show their places. */
  private final Map<Long, Long> words = new HashMap<>();

  /** The place of the byte that was found last; -1 for none. */
  private long last = -1;

  /** Results of combinations, for those launches. */
  private final IdentityHashMap<CombinationLog.Term, long[]> combined = new IdentityHashMap<>();

  /** The launches by which bytes are moved, and the oldest that has not ended, counted from 0. */
  private int launches;

  private int oldest;

  /** For inputs of that many launches, and of those after the last. */
  ShiftedOrigins(MachineModel model, int launches) {
    this.model = model;
    for (int m = 0; m < model.bytes.length; m++) {
      int rank = m / model.buffers;
      int buffer = m % model.buffers;
      if (!model.space(buffer).filled()) {
        continue;
      }
      for (long launch = 0; launch <= launches + 1L; launch++) {
        long number = launch * model.bytes.length + m;
        if (!model.inputs.areWords(buffer)) {
          places.add(rank, launch, buffer, model.bytes[m], number);
          continue;
        }
        for (int i = 0; i < model.bytes[m]; i++) {
          words.put(InputPattern.origin(rank, launch, buffer, i), number << Integer.SIZE | i);
        }
      }
    }
    model.made.note();
  }

  /** Bytes of the inputs that consist of words that lanes load. */
  static long words(MachineModel model) {
    long bytes = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      int buffer = m % model.buffers;
      boolean loaded = model.space(buffer).filled() && model.inputs.areWords(buffer);
      bytes += loaded ? model.bytes[m] : 0;
    }
    return bytes;
  }

  /** Whether two bytes of inputs were alike, so that one may have been moved as the other. */
  boolean alike() {
    return places.alike();
  }

  /** From now on, bytes are moved by so many launches; the oldest that has not ended is given. */
  void moveBy(int earlier, int notEnded) {
    if (launches != earlier || oldest != notEnded) {
      combined.clear();
      last = -1;
    }
    launches = earlier;
    oldest = notEnded;
  }

  /** The byte so many launches earlier. */
  long shifted(long octet) {
    if ((octet & TaggedBytes.ORIGIN) == 0) {
      return octet;
    }
    long plain = octet & ~TaggedBytes.CARRIED;
    long carried = octet & TaggedBytes.CARRIED;
    if (follows(plain)) {
      last++;
      return earlier(last) | carried;
    }
    // The table of combinations is small, while a byte of an input is searched for.
    CombinationLog.Octet made = model.made.of(octet);
    if (made != null) {
      return again(made.term())[made.at()];
    }
    Long word = words.get(octet & TaggedBytes.ORIGIN);
    if (word != null) {
      return origin(word) | carried | (octet & 0xFF);
    }
    long place = places.find(plain);
    if (place == InputPlaces.NONE) {
      return octet;
    }
    last = place;
    return earlier(place) | carried;
  }

  /**
   * Whether the byte is the next one after the last byte of an input. Bytes mostly come in runs.
   */
  private boolean follows(long octet) {
    return last >= 0
        && offset(last + 1) < model.bytes[memory(last)]
        && octet
            == model.inputs.at(
                rank(last), number(last) / model.bytes.length, buffer(last), offset(last + 1));
  }

  private static long number(long place) {
    return place >>> Integer.SIZE;
  }

  private static long offset(long place) {
    return place & -1L >>> Integer.SIZE;
  }

  private int memory(long place) {
    return (int) (number(place) % model.bytes.length);
  }

  private int rank(long place) {
    return memory(place) / model.buffers;
  }

  private int buffer(long place) {
    return memory(place) % model.buffers;
  }

  /** The launch of that place, moved. */
  private long launch(long place) {
    return Math.max(number(place) / model.bytes.length, oldest - 1L) - launches;
  }

  /** The byte at that place of the moved launch. */
  private long earlier(long place) {
    return model.inputs.at(rank(place), launch(place), buffer(place), offset(place));
  }

  private long origin(long place) {
    return InputPattern.origin(rank(place), launch(place), buffer(place), offset(place));
  }

  private long[] again(CombinationLog.Term term) {
    long[] known = combined.get(term);
    if (known != null) {
      return known;
    }
    long[] data = new long[Math.max(term.data().length, term.length())];
    for (int i = 0; i < term.data().length; i++) {
      data[i] = shifted(term.data()[i]);
    }
    model.made.make(term.making(), data, term.sources(), term.length());
    combined.put(term, data);
    return data;
  }
}
