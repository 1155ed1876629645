package dev.oriel.sim.machine.rows;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives equal clock snapshots one number for ever. The parts of a state that refer to them are then
 * equal where the contents are equal. Snapshots without a reference are dropped.
 */
public final class InternedSnapshots {
  private final ClockSnapshots rows;
  private final Map<Content, Integer> known = new HashMap<>();

  /** Rows below this number have their final numbers. */
  private int settled = 1;

  /** The row of the first entry of {@link #numbers}. */
  private int from = 1;

  /** By number of a row: whether something refers to it, later its final number. */
  private int[] numbers = new int[64];

  /** The row that is looked up. */
  private Content spare;

  public InternedSnapshots(ClockSnapshots rows) {
    this.rows = rows;
    spare = new Content(new int[rows.rows.width]);
  }

  @SuppressWarnings("ArrayRecordComponent") // compared by what they hold
  private record Content(int[] row) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Content c && Arrays.equals(row, c.row);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(row);
    }
  }

  /** Drops rows that were kept and not settled. */
  public void drop() {
    rows.used = settled;
  }

  /** Begins to settle the rows that were kept since the last time. */
  public void begin() {
    int fresh = rows.used - settled;
    if (fresh > numbers.length) {
      numbers = new int[2 * fresh];
    }
    Arrays.fill(numbers, 0, fresh, 0);
  }

  /** Notes that a part of the state refers to the row. */
  public void mark(int row) {
    if (row >= settled) {
      numbers[row - settled] = 1;
    }
  }

  /** Numbers all marked rows. Rows only move down, so none is overwritten before it is read. */
  public void end() {
    int first = settled;
    int end = rows.used;
    int width = rows.rows.width;
    int[] cells = ((FlatClockTable) rows.rows).cells;
    for (int row = first; row < end; row++) {
      if (numbers[row - first] == 0) {
        continue;
      }
      System.arraycopy(cells, row * width, spare.row, 0, width);
      Integer same = known.get(spare);
      if (same == null) {
        known.put(spare, settled);
        System.arraycopy(spare.row, 0, cells, settled * width, width);
        rows.hashes[settled] = 0;
        spare = new Content(new int[width]);
      }
      numbers[row - first] = same == null ? settled++ : same;
    }
    rows.used = settled;
    from = first;
  }

  /** The final number of a row, after {@link #end}. */
  public int number(int row) {
    return row < from ? row : numbers[row - from];
  }

  /** How many words all settled rows take. */
  public long size() {
    return (long) settled * rows.rows.width;
  }
}
