package dev.oriel.sim.machine;

import dev.oriel.ports.MachineException;
import java.util.Arrays;

/** Rows one behind the other, in one array: fast where they are narrow. */
final class FlatRows extends Rows {
  private static final int MAX_WORDS = 1 << 28;

  int[] cells;

  FlatRows(int width, int count) {
    super(width);
    cells = new int[Math.multiplyExact(width, count)];
  }

  @Override
  int at(int row, int column) {
    return cells[row * width + column];
  }

  @Override
  void set(int row, int column, int value) {
    cells[row * width + column] = value;
  }

  @Override
  void copy(int into, Rows from, int row) {
    System.arraycopy(((FlatRows) from).cells, row * width, cells, into * width, width);
  }

  @Override
  void join(int into, Rows from, int row) {
    int[] other = ((FlatRows) from).cells;
    int at = into * width;
    int fromAt = row * width;
    for (int i = 0; i < width; i++) {
      cells[at + i] = Math.max(cells[at + i], other[fromAt + i]);
    }
  }

  @Override
  void copy(Rows from, int count) {
    System.arraycopy(((FlatRows) from).cells, 0, cells, 0, count * width);
  }

  @Override
  void clear(int count) {
    Arrays.fill(cells, 0, count * width, 0);
  }

  @Override
  void room(int count) {
    if ((long) count * width > MAX_WORDS) {
      throw MachineException.lacking(
          "clocks kept take too much room: rows=%d, width=%d, max words=%d; use fewer launches, ranks or lanes"
              .formatted(count, width, MAX_WORDS));
    }
    cells = Arrays.copyOf(cells, count * width);
  }

  @Override
  void stays(int row) {
    // Its room is all that it takes.
  }

  @Override
  long hash(int row) {
    long hash = 1;
    for (int i = row * width; i < (row + 1) * width; i++) {
      hash = Hash.mix(hash, cells[i]);
    }
    return hash;
  }

  @Override
  void digest(Fingerprint into) {
    into.add(cells);
  }

  @Override
  long footprint() {
    return (long) Integer.BYTES * cells.length;
  }

  @Override
  long shared() {
    return 0;
  }
}
