package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.CallStep;

/**
 * The part of a window that persistent calls use, the same on every rank.
 *
 * @param control offset of the bytes in which ranks announce requests, a multiple of 8; no
 *     request's range may overlap them
 * @param signals the first of {@link #signalCount} slots that only these calls use
 * @param requests the most that may exist at once
 * @param barrier a barrier id that only these calls use
 */
public record CallSpec(long control, int signals, int requests, int barrier) {
  /** A request's place, kind, offset and length. */
  static final int CELL = 4 * Long.BYTES;

  public CallSpec {
    if (control < 0 || control % Long.BYTES != 0 || signals < 0 || requests < 1 || barrier < 0) {
      throw new IllegalArgumentException(
          "bad specification: control=%d, signals=%d, requests=%d, barrier=%d; begin at a multiple of 8, and allow a request"
              .formatted(control, signals, requests, barrier));
    }
  }

  /** The number of slots from {@link #signals} on. */
  public int signalCount() {
    return 1 + requests * CallStep.Word.values().length;
  }

  /** The number of bytes from {@link #control} on: a cell for each rank, and one to send from. */
  public long controlBytes(int world) {
    return (world + 1L) * CELL;
  }

  /**
   * The offset of the cell that the rank writes; the cell to send from comes after the last rank's.
   */
  long cell(int rank) {
    return control + (long) rank * CELL;
  }

  @SuppressWarnings("EnumOrdinal")
  int slot(int place, CallStep.Word word) {
    return signals + 1 + place * CallStep.Word.values().length + word.ordinal();
  }
}
