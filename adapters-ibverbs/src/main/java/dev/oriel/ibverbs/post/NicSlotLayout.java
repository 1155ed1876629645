package dev.oriel.ibverbs.post;

import dev.oriel.domain.binding.RankProgram;
import dev.oriel.domain.program.SignalArray;
import dev.oriel.ports.MachineException;

/**
 * The layout of signal slots in the memory that network interfaces write: 8-byte words, with a row
 * for every source rank, including the owner. A row has the signals in the order of the form.
 *
 * <pre>
 *   offset = 8 * (source * words of a row + first word of the signal + index)
 * </pre>
 */
public final class NicSlotLayout {
  /** Bytes of a slot; slots are adjacent. */
  public static final int STRIDE = Long.BYTES;

  private final RankProgram rank;

  /** The table of every rank of the program, as the given rank computes it. */
  public NicSlotLayout(RankProgram rank) {
    this.rank = rank;
  }

  /** The number of words of one source. */
  public long row() {
    return rank.program().form().signals().stream().mapToLong(s -> rank.slots(s.name())).sum();
  }

  /** Bytes of the whole table; never 0: a read-back always has a word to read. */
  public long bytes() {
    long words = Math.multiplyExact(rank.program().world(), row());
    return Math.max(1, words) * STRIDE;
  }

  /** The slot at {@code owner} that only {@code source} writes. */
  public SlotWord word(int owner, int source, String signal, long index) {
    int count = rank.slots(signal);
    if (index < 0 || index >= count) {
      throw new MachineException(
          "slot out of range: signal=%s, index=%d, count=%d; declare more slots"
              .formatted(signal, index, count));
    }
    long place = source * row() + first(signal) + index;
    return new SlotWord(owner, source, signal, index, place * STRIDE);
  }

  private long first(String signal) {
    long first = 0;
    for (SignalArray s : rank.program().form().signals()) {
      if (s.name().equals(signal)) {
        break;
      }
      first += rank.slots(s.name());
    }
    return first;
  }
}
