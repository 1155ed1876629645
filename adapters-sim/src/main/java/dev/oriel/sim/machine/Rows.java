package dev.oriel.sim.machine;

import dev.oriel.ports.MachineException;
import java.util.Arrays;

/**
 * Clocks as they were at one moment, numbered from 1; row 0 knows nothing. A row never changes, so
 * messages and requests share it.
 */
final class Rows {
  private static final int FIRST_ROOM = 64;
  private static final int MAX_WORDS = 1 << 28;

  final int width;
  int[] rows;
  long[] hashes;
  int used;

  Rows(int width) {
    this.width = width;
    rows = new int[FIRST_ROOM * width];
    hashes = new long[FIRST_ROOM];
    used = 1;
  }

  void clear() {
    used = 1;
  }

  /** Bytes that the room for them takes. */
  long footprint() {
    return (long) Integer.BYTES * rows.length + (long) Long.BYTES * hashes.length;
  }

  void copy(Rows other) {
    room(other.used);
    System.arraycopy(other.rows, width, rows, width, (other.used - 1) * width);
    System.arraycopy(other.hashes, 0, hashes, 0, other.used);
    used = other.used;
  }

  /** The number of a row that holds what {@code from} holds at {@code at}. */
  int keep(int[] from, int at) {
    int row = next();
    System.arraycopy(from, at, rows, row * width, width);
    return row;
  }

  /** The number of a new row that holds what that one holds, to be changed at once. */
  int again(int row) {
    int copy = next();
    System.arraycopy(rows, row * width, rows, copy * width, width);
    return copy;
  }

  /** The number of a row that knows what both know. */
  int joined(int row, int other) {
    if (other == 0 || row == other) {
      return row;
    }
    if (row == 0) {
      return other;
    }
    int sum = again(row);
    Clocks.join(rows, sum * width, rows, other * width, width);
    return sum;
  }

  private int next() {
    room(used + 1);
    hashes[used] = 0;
    return used++;
  }

  private void room(int needed) {
    if (needed <= hashes.length) {
      return;
    }
    int room = Math.max(needed, 2 * hashes.length);
    if ((long) room * width > MAX_WORDS) {
      throw MachineException.lacking(
          "clocks kept take too much room: rows=%d, width=%d, max words=%d; use fewer launches, ranks or lanes"
              .formatted(room, width, MAX_WORDS));
    }
    rows = Arrays.copyOf(rows, room * width);
    hashes = Arrays.copyOf(hashes, room);
  }

  /** What the row holds, as a number that is the same for equal rows. */
  long hash(int row) {
    if (row == 0) {
      return 0;
    }
    if (hashes[row] == 0) {
      long hash = 1;
      for (int i = row * width; i < (row + 1) * width; i++) {
        hash = Hash.mix(hash, rows[i]);
      }
      hashes[row] = hash == 0 ? 1 : hash;
    }
    return hashes[row];
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOfRange(rows, width, used * width));
  }
}
