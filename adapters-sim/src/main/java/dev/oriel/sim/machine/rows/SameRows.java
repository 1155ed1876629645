package dev.oriel.sim.machine.rows;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Gives kept rows that hold the same one number for ever: the parts of a state that name them are
 * then equal where they hold the same. Rows that nobody names are forgotten.
 */
public final class SameRows {
  private final KeptRows rows;
  private final Map<Content, Integer> known = new HashMap<>();

  /** Rows below it have their last numbers. */
  private int settled = 1;

  /** Where {@link #numbers} begins. */
  private int from = 1;

  /** By number of a row: whether it is named, then its last number. */
  private int[] numbers = new int[64];

  public SameRows(KeptRows rows) {
    this.rows = rows;
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

  /** Rows that were kept and not settled are forgotten. */
  public void drop() {
    rows.used = settled;
  }

  /** Begins to settle what was kept since it was last done. */
  public void begin() {
    int fresh = rows.used - settled;
    if (fresh > numbers.length) {
      numbers = new int[2 * fresh];
    }
    Arrays.fill(numbers, 0, fresh, 0);
  }

  /** Somebody names that row. */
  public void mark(int row) {
    if (row >= settled) {
      numbers[row - settled] = 1;
    }
  }

  /** Numbers what is named: rows only move down, so none is written over before it was read. */
  public void end() {
    int first = settled;
    int end = rows.used;
    int width = rows.rows.width;
    int[] cells = ((FlatRows) rows.rows).cells;
    for (int row = first; row < end; row++) {
      if (numbers[row - first] == 0) {
        continue;
      }
      int[] content = Arrays.copyOfRange(cells, row * width, (row + 1) * width);
      Integer same = known.putIfAbsent(new Content(content), settled);
      if (same == null) {
        System.arraycopy(content, 0, cells, settled * width, width);
        rows.hashes[settled] = 0;
      }
      numbers[row - first] = same == null ? settled++ : same;
    }
    rows.used = settled;
    from = first;
  }

  /** The last number of a row, once named rows have theirs. */
  public int number(int row) {
    return row < from ? row : numbers[row - from];
  }

  /** How many words they take. */
  public long size() {
    return (long) settled * rows.rows.width;
  }
}
