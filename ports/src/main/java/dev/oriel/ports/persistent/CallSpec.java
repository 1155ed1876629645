package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.Step;

/**
 * What persistent calls need of a window, the same on every rank.
 *
 * @param control where they keep what ranks tell each other, a multiple of 8; no request's range
 *     may be there
 * @param signals the first of {@link #signalCount} slots that are theirs alone
 * @param requests how many there may be at once
 * @param barrier an id of which they are the only users
 */
public record CallSpec(long control, int signals, int requests, int barrier) {
  /** Place, kind, offset and length of a request. */
  static final int CELL = 4 * Long.BYTES;

  public CallSpec {
    if (control < 0 || control % Long.BYTES != 0 || signals < 0 || requests < 1 || barrier < 0) {
      throw new IllegalArgumentException(
          "bad specification: control=%d, signals=%d, requests=%d, barrier=%d; begin at a multiple of 8, and allow a request"
              .formatted(control, signals, requests, barrier));
    }
  }

  /** Slots from {@link #signals} on. */
  public int signalCount() {
    return 1 + requests * Step.Word.values().length;
  }

  /** Bytes from {@link #control} on: a cell of each rank, and one to send from. */
  public long controlBytes(int world) {
    return (world + 1L) * CELL;
  }

  /** Where the cell is that the rank writes; behind the last the one to send from. */
  long cell(int rank) {
    return control + (long) rank * CELL;
  }

  @SuppressWarnings("EnumOrdinal")
  int slot(int place, Step.Word word) {
    return signals + 1 + place * Step.Word.values().length + word.ordinal();
  }
}
