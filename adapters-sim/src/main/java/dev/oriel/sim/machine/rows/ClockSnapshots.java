package dev.oriel.sim.machine.rows;

import java.util.Arrays;

/**
 * Snapshots of clocks, numbered from 1; row 0 is all zeros. A snapshot never changes, so messages
 * and requests share it.
 */
public final class ClockSnapshots {
  private static final int FIRST_ROOM = 64;

  public final ClockTable rows;
  public long[] hashes;
  public int used;

  public ClockSnapshots(boolean flat, int width) {
    rows = ClockTable.of(flat, width, FIRST_ROOM);
    hashes = new long[FIRST_ROOM];
    used = 1;
  }

  public void clear() {
    rows.clear(used);
    used = 1;
  }

  /** Bytes of the room for all snapshots. */
  public long footprint() {
    return rows.footprint() + (long) Long.BYTES * hashes.length;
  }

  /** Bytes of what is {@link ClockTable#shared shared}. */
  public long shared() {
    return rows.shared();
  }

  public void copy(ClockSnapshots other) {
    room(other.used);
    rows.copy(other.rows, other.used);
    System.arraycopy(other.hashes, 0, hashes, 0, other.used);
    used = other.used;
  }

  /** The entry of the row in that column. */
  public int at(int row, int column) {
    return rows.at(row, column);
  }

  /** Takes a snapshot of that row of {@code from}; returns its number. */
  public int keep(ClockTable from, int row) {
    int kept = next();
    rows.copy(kept, from, row);
    return kept;
  }

  /** Copies a snapshot to a new one, which the caller changes at once; returns its number. */
  public int again(int row) {
    return keep(rows, row);
  }

  /** Whether a row is at least another one in every column. */
  public boolean covers(int row, int other) {
    for (int c = 0; other != 0 && row != other && c < rows.width; c++) {
      if (rows.at(other, c) > rows.at(row, c)) {
        return false;
      }
    }
    return true;
  }

  /** The number of a row that is the join of both. */
  public int joined(int row, int other) {
    if (other == 0 || row == other) {
      return row;
    }
    if (row == 0) {
      return other;
    }
    int sum = again(row);
    rows.join(sum, rows, other);
    return sum;
  }

  /** The number of a new row. A row changes, if at all, before the next one is made. */
  private int next() {
    rows.stays(used - 1);
    room(used + 1);
    hashes[used] = 0;
    return used++;
  }

  private void room(int needed) {
    if (needed > hashes.length) {
      int room = Math.max(needed, 2 * hashes.length);
      rows.room(room);
      hashes = Arrays.copyOf(hashes, room);
    }
  }

  /** A hash of the row's contents, equal for equal rows. */
  public long hash(int row) {
    if (row == 0) {
      return 0;
    }
    if (hashes[row] == 0) {
      long hash = rows.hash(row);
      hashes[row] = hash == 0 ? 1 : hash;
    }
    return hashes[row];
  }
}
