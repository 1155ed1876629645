package dev.oriel.sim.machine.rows;

import dev.oriel.sim.machine.fingerprint.Fingerprint;

/**
 * Vector clocks, all of one width. All rows of a state are stored in one way: {@link FlatClockTable
 * flat} or, where there are many agents, {@link SharedClockTable shared}. Their contents are the
 * same.
 */
public abstract sealed class ClockTable permits FlatClockTable, SharedClockTable {
  public final int width;

  ClockTable(int width) {
    this.width = width;
  }

  /** Creates that many rows of zeros. */
  public static ClockTable of(boolean flat, int width, int count) {
    return flat ? new FlatClockTable(width, count) : new SharedClockTable(width, count);
  }

  public abstract int at(int row, int column);

  public abstract void set(int row, int column, int value);

  public final void increment(int row, int column) {
    set(row, column, at(row, column) + 1);
  }

  /** Sets the entry to the value if it is less. */
  public final void raise(int row, int column, int value) {
    if (at(row, column) < value) {
      set(row, column, value);
    }
  }

  /** Copies a row of {@code from} into the row {@code into}. */
  public abstract void copy(int into, ClockTable from, int row);

  /** Joins a row of {@code from} into the row {@code into}: each entry becomes the greater one. */
  public abstract void join(int into, ClockTable from, int row);

  /** Copies the first {@code count} rows of {@code from}. */
  public abstract void copy(ClockTable from, int count);

  /** Sets the first {@code count} rows to zeros. */
  public abstract void clear(int count);

  /** Makes room for that many rows; existing rows stay. */
  abstract void room(int count);

  /** Marks the row as final, for implementations that count the memory of final rows. */
  abstract void stays(int row);

  /** A hash of the row's contents, equal for equal rows. */
  abstract long hash(int row);

  /** Adds all rows to a fingerprint. */
  public abstract void digest(Fingerprint into);

  /** Bytes that a copy of all rows takes, without what it shares with them. */
  public abstract long footprint();

  /**
   * Bytes that these rows share with the rows that they were copied from, and with their copies.
   */
  public abstract long shared();
}
