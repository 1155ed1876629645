package dev.oriel.sim.litmus.answer;

/** Relations over at most 64 events: bit y of row x means that x is related to y. */
public final class EventRelations {
  public static final int MAX_EVENTS = 64;

  private EventRelations() {}

  public static boolean has(long mask, int event) {
    return ((mask >>> event) & 1) != 0;
  }

  public static long bit(int event) {
    return 1L << event;
  }

  /** The events from {@code from} up to, not including, {@code to}. */
  public static long range(int from, int to) {
    return from >= to ? 0 : (-1L << from) & (-1L >>> (64 - to));
  }

  /** The event of the lowest bit; loops clear it with {@code mask &= mask - 1}. */
  public static int lowest(long mask) {
    return Long.numberOfTrailingZeros(mask);
  }

  /** Makes a relation transitive. */
  public static void close(long[] rows) {
    for (int via = 0; via < rows.length; via++) {
      long beyond = rows[via];
      if (beyond != 0) {
        for (int from = 0; from < rows.length; from++) {
          if (has(rows[from], via)) {
            rows[from] |= beyond;
          }
        }
      }
    }
  }

  /** Whether some event is related to itself; of a closed relation: whether it has a cycle. */
  public static boolean reflexive(long[] rows) {
    for (int i = 0; i < rows.length; i++) {
      if (has(rows[i], i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a relation has no cycle; does not change the rows. */
  public static boolean acyclic(long[] rows) {
    long left = rows.length == 64 ? -1 : bit(rows.length) - 1;
    boolean removed = true;
    while (left != 0 && removed) {
      removed = false;
      for (long rest = left; rest != 0; rest &= rest - 1) {
        int event = lowest(rest);
        if ((rows[event] & left) == 0) {
          left &= ~bit(event);
          removed = true;
        }
      }
    }
    return left == 0;
  }
}
