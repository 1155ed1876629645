package dev.oriel.sim.machine.rows;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Applies the same random changes to flat rows and to rows that share nodes. Their contents must be
 * equal, and rows with equal contents have one hash. Its interface consists of strings if it is
 * loaded together with a changed engine.
 */
public final class RandomClockTables implements UnaryOperator<String> {
  private static final int ROWS = 5;
  private static final int CHANGES = 60;
  private static final int[] WIDTHS = {1, 2, 31, 32, 33, 64, 100, 1023, 1024, 1025, 2500, 40_000};

  private final Random random;
  private final int width;
  private final ClockTable[] flat;
  private final ClockTable[] shared;

  /** Creates the function; each application draws with its own instance. */
  public RandomClockTables() {
    this(0);
  }

  private RandomClockTables(long seed) {
    random = new Random(seed);
    int drawn = WIDTHS[random.nextInt(WIDTHS.length)];
    width = random.nextBoolean() ? drawn : 1 + random.nextInt(drawn);
    flat = two(true);
    shared = two(false);
  }

  private ClockTable[] two(boolean isFlat) {
    return new ClockTable[] {
      ClockTable.of(isFlat, width, ROWS), ClockTable.of(isFlat, width, ROWS)
    };
  }

  /** The argument is a seed; the result is the first difference, empty if there is none. */
  @Override
  public String apply(String seed) {
    return new RandomClockTables(Long.parseLong(seed)).difference();
  }

  private String difference() {
    for (int i = 0; i < CHANGES; i++) {
      long change = random.nextLong();
      change(flat, new Random(change));
      change(shared, new Random(change));
    }
    for (int table = 0; table < 2; table++) {
      for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < width; column++) {
          if (flat[table].at(row, column) != shared[table].at(row, column)) {
            return "width %d: %d, %d, %d".formatted(width, table, row, column);
          }
        }
      }
    }
    return hashes() + digests();
  }

  private String hashes() {
    for (int i = 0; i < 2 * ROWS * ROWS; i++) {
      ClockTable other = shared[i / ROWS / ROWS];
      int one = i % ROWS;
      int another = i / ROWS % ROWS;
      boolean same = true;
      for (int column = 0; column < width; column++) {
        same &= shared[0].at(one, column) == other.at(another, column);
      }
      if (same != (shared[0].hash(one) == other.hash(another))) {
        return "width %d: hashes of rows %d and %d".formatted(width, one, another);
      }
    }
    return "";
  }

  private String digests() {
    boolean one = print(flat[0]).equals(print(flat[1]));
    return one == print(shared[0]).equals(print(shared[1])) ? "" : "digests";
  }

  private static String print(ClockTable rows) {
    Fingerprint print = new Fingerprint();
    print.clear();
    rows.digest(print);
    return "%x %x".formatted(print.high(), print.low());
  }

  private void change(ClockTable[] tables, Random draw) {
    ClockTable into = tables[draw.nextInt(2)];
    ClockTable from = tables[draw.nextInt(2)];
    int row = draw.nextInt(ROWS);
    int other = draw.nextInt(ROWS);
    // Few columns, so rows often have one in common.
    int column = draw.nextInt(4) * (width - 1) / 3;
    switch (draw.nextInt(16)) {
      case 0, 1, 2 -> into.set(row, column, draw.nextInt(3));
      case 3, 4 -> into.increment(row, draw.nextInt(width));
      case 5 -> into.raise(row, column, draw.nextInt(9));
      case 6, 7, 8, 9 -> into.join(row, from, other);
      case 10, 11, 12 -> into.copy(row, from, other);
      case 13 -> into.copy(from, draw.nextInt(ROWS + 1));
      case 14 -> into.room(ROWS);
      default -> {
        if (draw.nextInt(4) == 0) {
          into.clear(draw.nextInt(ROWS + 1));
        }
      }
    }
  }
}
