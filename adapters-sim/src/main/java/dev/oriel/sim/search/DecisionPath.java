package dev.oriel.sim.search;

import java.util.Arrays;

/** The decisions of one execution, in the order in which they were taken: agents, then branches. */
final class DecisionPath {
  private int[] decisions = new int[64];
  private int length;

  void add(int decision) {
    if (length == decisions.length) {
      decisions = Arrays.copyOf(decisions, 2 * length);
    }
    decisions[length++] = decision;
  }

  int length() {
    return length;
  }

  int get(int index) {
    return decisions[index];
  }

  /** How many first decisions are those of the array. */
  int same(int[] others) {
    int different = Arrays.mismatch(decisions, 0, length, others, 0, others.length);
    return different < 0 ? length : different;
  }

  void cut(int to) {
    length = to;
  }

  int[] toArray() {
    return toArray(length);
  }

  /** The first so many decisions. */
  int[] toArray(int first) {
    return Arrays.copyOf(decisions, first);
  }
}
