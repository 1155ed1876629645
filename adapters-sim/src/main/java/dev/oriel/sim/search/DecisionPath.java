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
