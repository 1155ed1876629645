package dev.oriel.sim.machine.rows;

import dev.oriel.ports.MachineException;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.fingerprint.HashMixer;
import java.util.Arrays;

/** Clocks one after another in one array: fast where they are narrow. */
public final class FlatClockTable extends ClockTable {
  private static final int MAX_WORDS = 1 << 28;

  public int[] cells;

  FlatClockTable(int width, int count) {
    super(width);
    cells = new int[Math.multiplyExact(width, count)];
  }

  @Override
  public int at(int row, int column) {
    return cells[row * width + column];
  }

  @Override
  public void set(int row, int column, int value) {
    cells[row * width + column] = value;
  }

  @Override
  public void copy(int into, ClockTable from, int row) {
    System.arraycopy(((FlatClockTable) from).cells, row * width, cells, into * width, width);
  }

  @Override
  public void join(int into, ClockTable from, int row) {
    int[] other = ((FlatClockTable) from).cells;
    int at = into * width;
    int fromAt = row * width;
    for (int i = 0; i < width; i++) {
      cells[at + i] = Math.max(cells[at + i], other[fromAt + i]);
    }
  }

  @Override
  public void copy(ClockTable from, int count) {
    System.arraycopy(((FlatClockTable) from).cells, 0, cells, 0, count * width);
  }

  @Override
  public void clear(int count) {
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
    // The row's room is all that it takes.
  }

  @Override
  long hash(int row) {
    long hash = 1;
    for (int i = row * width; i < (row + 1) * width; i++) {
      hash = HashMixer.mix(hash, cells[i]);
    }
    return hash;
  }

  @Override
  public void digest(Fingerprint into) {
    into.add(cells);
  }

  @Override
  public long footprint() {
    return (long) Integer.BYTES * cells.length;
  }

  @Override
  public long shared() {
    return 0;
  }
}
