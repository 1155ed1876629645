package dev.oriel.sim.machine;

import dev.oriel.sim.machine.layout.MachineModel;
import dev.oriel.sim.machine.provenance.CombinationLog;
import dev.oriel.sim.machine.provenance.TaggedBytes;
import java.util.IdentityHashMap;

/**
 * Bytes as they would be some launches earlier. A byte of an input becomes the byte at the same
 * place of an earlier launch. A combined byte becomes the combination of such bytes.
 */
final class ShiftedOrigins {
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final MachineModel model;

  /**
   * An open-addressing table of the bytes of inputs, 0 for a free place, and where each is from.
   */
  private final long[] octets;

  private final long[] places;
  private final int shift;
  private boolean apart = true;

  /** The place of the byte that was found last; -1 for none. */
  private long last = -1;

  /** Results of combinations, for one number of launches. */
  private final IdentityHashMap<CombinationLog.Term, long[]> combined = new IdentityHashMap<>();

  private int combinedBy;

  /** For inputs of that many launches, and of those after the last. */
  ShiftedOrigins(MachineModel model, int launches) {
    this.model = model;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(2 * inputs(model) * (launches + 1L) + 1);
    shift = Long.SIZE - bits;
    octets = new long[1 << bits];
    places = new long[1 << bits];
    for (int m = 0; m < model.bytes.length; m++) {
      int bytes = model.space(m % model.buffers).filled() ? model.bytes[m] : 0;
      for (int i = 0; i < bytes; i++) {
        for (long launch = 1; launch <= launches + 1L; launch++) {
          add(
              model.inputs.at(m / model.buffers, launch, m % model.buffers, i),
              (launch * model.bytes.length + m) << Integer.SIZE | i);
        }
      }
    }
    model.made.note();
  }

  /** The bytes of the inputs of all ranks. */
  static long inputs(MachineModel model) {
    long inputs = 0;
    for (int m = 0; m < model.bytes.length; m++) {
      inputs += model.space(m % model.buffers).filled() ? model.bytes[m] : 0;
    }
    return inputs;
  }

  private void add(long octet, long place) {
    int at = at(octet);
    apart &= octets[at] == 0;
    octets[at] = octet;
    places[at] = place;
  }

  private int at(long octet) {
    int at = (int) ((octet * SPREAD) >>> shift);
    while (octets[at] != 0 && octets[at] != octet) {
      at = (at + 1) & (octets.length - 1);
    }
    return at;
  }

  /** Whether each byte of an input differs from every other. */
  boolean apart() {
    return apart;
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
    int at = at(plain);
    if (octets[at] != 0) {
      last = places[at];
      return earlier(last, launches) | carried;
    }
    if (combinedBy != launches) {
      combined.clear();
      combinedBy = launches;
    }
    CombinationLog.Octet made = model.made.of(octet);
    return made == null ? octet : again(made.term(), launches)[made.at()];
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
