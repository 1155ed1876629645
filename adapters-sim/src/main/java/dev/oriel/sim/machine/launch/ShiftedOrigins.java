package dev.oriel.sim.machine.launch;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.CombinationLog;
import dev.oriel.sim.machine.provenance.InputPlaces;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import java.util.IdentityHashMap;

/**
 * Bytes as they would be some launches earlier. A byte of an input becomes the byte at the same
 * place of an earlier launch. A combined byte becomes the combination of such bytes.
 */
final class ShiftedOrigins {
  private final MachineModel model;

  /** Where bytes of inputs are from. */
  private final InputPlaces places = new InputPlaces();

  /** The place of the byte that was found last; -1 for none. */
  private long last = -1;

  /** Results of combinations, for one number of launches. */
  private final IdentityHashMap<CombinationLog.Term, long[]> combined = new IdentityHashMap<>();

  private int combinedBy;

  /** For inputs of that many launches, and of those after the last. */
  ShiftedOrigins(MachineModel model, int launches) {
    this.model = model;
    for (int m = 0; m < model.bytes.length; m++) {
      int buffer = m % model.buffers;
      if (model.space(buffer).filled()) {
        for (long launch = 1; launch <= launches + 1L; launch++) {
          places.add(
              m / model.buffers, launch, buffer, model.bytes[m], launch * model.bytes.length + m);
        }
      }
    }
    model.made.note();
  }

  /** Whether two bytes of inputs were alike, so that one may have been moved as the other. */
  boolean alike() {
    return places.alike();
  }

  /** The byte so many launches earlier. */
  long shifted(long octet, int launches) {
    if (launches == 0 || (octet & TaggedBytes.ORIGIN) == 0) {
      return octet;
    }
    long plain = octet & ~TaggedBytes.CARRIED;
    long carried = octet & TaggedBytes.CARRIED;
    if (follows(plain)) {
      last++;
      return earlier(last, launches) | carried;
    }
    // The table of combinations is small, while a byte of an input is searched for.
    CombinationLog.Octet made = model.made.of(octet);
    if (made != null) {
      if (combinedBy != launches) {
        combined.clear();
        combinedBy = launches;
      }
      return again(made.term(), launches)[made.at()];
    }
    long place = places.find(plain);
    if (place == InputPlaces.NONE) {
      return octet;
    }
    last = place;
    return earlier(place, launches) | carried;
  }

  /**
   * Whether the byte is the next one after the last byte of an input. Bytes mostly come in runs.
   */
  private boolean follows(long octet) {
    return last >= 0
        && (int) (last + 1) < model.bytes[(int) ((last >>> Integer.SIZE) % model.bytes.length)]
        && octet == earlier(last + 1, 0);
  }

  /** The byte at that place, so many launches before the one that the place names. */
  private long earlier(long place, int launches) {
    long number = place >>> Integer.SIZE;
    int memory = (int) (number % model.bytes.length);
    long launch = number / model.bytes.length - launches;
    long offset = place & -1L >>> Integer.SIZE;
    return model.inputs.at(memory / model.buffers, launch, memory % model.buffers, offset);
  }

  private long[] again(CombinationLog.Term term, int launches) {
    long[] known = combined.get(term);
    if (known != null) {
      return known;
    }
    long[] data = new long[Math.max(term.data().length, term.length())];
    for (int i = 0; i < term.data().length; i++) {
      data[i] = shifted(term.data()[i], launches);
    }
    model.made.make(term.making(), data, term.sources(), term.length());
    combined.put(term, data);
    return data;
  }
}
