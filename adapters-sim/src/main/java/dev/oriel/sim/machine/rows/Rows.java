package dev.oriel.sim.machine.rows;

import dev.oriel.sim.machine.fingerprint.Fingerprint;

/**
 * Rows of numbers, each as wide as the others: what somebody knows of everybody. All rows of a
 * state are held in one way, {@link FlatRows flat} or, where there are many agents, {@link
 * SharedRows shared}; what they hold is the same.
 */
public abstract sealed class Rows permits FlatRows, SharedRows {
  public final int width;

  Rows(int width) {
    this.width = width;
  }

  /** So many rows that hold zeros. */
  public static Rows of(boolean flat, int width, int count) {
    return flat ? new FlatRows(width, count) : new SharedRows(width, count);
  }

  public abstract int at(int row, int column);

  public abstract void set(int row, int column, int value);

  public final void increment(int row, int column) {
    set(row, column, at(row, column) + 1);
  }

  /** The number becomes that one if it is less. */
  public final void raise(int row, int column, int value) {
    if (at(row, column) < value) {
      set(row, column, value);
    }
  }

  /** Makes the row hold what another holds. */
  public abstract void copy(int into, Rows from, int row);

  /** Makes the row know all that another knows: of each column the greater number. */
  public abstract void join(int into, Rows from, int row);

  /** Makes the first rows, so many, equal to those of other rows. */
  public abstract void copy(Rows from, int count);

  /** All numbers of the first rows, so many, are 0 again. */
  public abstract void clear(int count);

  /** Makes room for so many rows, in which those that there are stay. */
  abstract void room(int count);

  /** Says that the row stays as it is, to whom counts what rows that stay take. */
  abstract void stays(int row);

  /** What the row holds, as a number that is the same for equal rows. */
  abstract long hash(int row);

  /** Feeds all rows. */
  public abstract void digest(Fingerprint into);

  /** Bytes that a copy of all rows takes, besides what it shares with them. */
  public abstract long footprint();

  /** Bytes of what is shared: with the rows that these are a copy of, and with their copies. */
  public abstract long shared();
}
