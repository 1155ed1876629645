package dev.oriel.sim.machine.memo;

import java.util.Arrays;

/**
 * The recorded steps, as numbers of versions of the parts that they read or wrote.
 *
 * <pre>
 * step   agent | number of parts | version of each before | version of each after
 * </pre>
 */
final class StepTable {
  private static final int FIRST_ROOM = 1 << 12;
  private static final int HEADER = 2;

  /** A hash table by agent and versions before a step: the place of the step, 0 for none. */
  private int[] slots = new int[FIRST_ROOM];

  private int[] steps = new int[FIRST_ROOM];
  private int used = 1;
  private int stored;

  /** The place of the versions after the step of that agent; 0 if the step is not recorded. */
  int find(int agent, int[] parts, int[] current) {
    long hash = agent;
    for (int part : parts) {
      hash = mixed(hash, current[part]);
    }
    int mask = slots.length - 1;
    for (int at = slot(hash, mask); slots[at] != 0; at = at + 1 & mask) {
      int step = slots[at];
      boolean same = steps[step] == agent && steps[step + 1] == parts.length;
      for (int i = 0; same && i < parts.length; i++) {
        same = steps[step + HEADER + i] == current[parts[i]];
      }
      if (same) {
        return step + HEADER + parts.length;
      }
    }
    return 0;
  }

  /** The number at that place. */
  int at(int place) {
    return steps[place];
  }

  /** Adds a step that is not recorded yet. */
  void add(int agent, int[] before, int[] after) {
    int end = used + HEADER + 2 * before.length;
    if (end > steps.length) {
      steps = Arrays.copyOf(steps, 2 * end);
    }
    if (2 * ++stored > slots.length) {
      slots = new int[2 * slots.length];
      for (int step = 1; step < used; step += HEADER + 2 * steps[step + 1]) {
        put(step);
      }
    }
    steps[used] = agent;
    steps[used + 1] = before.length;
    System.arraycopy(before, 0, steps, used + HEADER, before.length);
    System.arraycopy(after, 0, steps, used + HEADER + before.length, after.length);
    put(used);
    used = end;
  }

  private void put(int step) {
    long hash = steps[step];
    for (int i = 0; i < steps[step + 1]; i++) {
      hash = mixed(hash, steps[step + HEADER + i]);
    }
    int mask = slots.length - 1;
    int at = slot(hash, mask);
    while (slots[at] != 0) {
      at = at + 1 & mask;
    }
    slots[at] = step;
  }

  private static long mixed(long hash, int version) {
    return (hash ^ version) * 0x9E3779B97F4A7C15L;
  }

  private static int slot(long hash, int mask) {
    return (int) (hash >>> Integer.SIZE) & mask;
  }

  /** How many words the table takes. */
  long size() {
    return ((long) slots.length + steps.length) / 2;
  }
}
