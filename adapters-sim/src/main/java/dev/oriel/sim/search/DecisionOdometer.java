package dev.oriel.sim.search;

import dev.oriel.sim.replay.ChoiceSource;
import java.util.Arrays;

/** A sequence of decisions, enumerated in order; the last decision changes fastest. */
final class DecisionOdometer implements ChoiceSource {
  private int[] taken = new int[4];
  private int[] options = new int[4];
  private int length;
  private int at;

  void reset() {
    length = 0;
    at = 0;
  }

  void begin() {
    at = 0;
  }

  /** Whether no decision was taken yet. */
  boolean fresh() {
    return length == 0;
  }

  /** Whether the next decision is a new one. */
  boolean anew() {
    return at == length;
  }

  @Override
  public int choose(int count) {
    if (count == 1) {
      return 0;
    }
    if (at == length) {
      if (length == taken.length) {
        taken = Arrays.copyOf(taken, 2 * length);
        options = Arrays.copyOf(options, 2 * length);
      }
      taken[length] = 0;
      options[length++] = count;
    }
    return taken[at++];
  }

  /** Advances to the next sequence of decisions; false when all were taken. */
  boolean advance() {
    while (length > 0) {
      if (++taken[length - 1] < options[length - 1]) {
        return true;
      }
      length--;
    }
    return false;
  }

  void copyTo(DecisionPath path) {
    for (int i = 0; i < at; i++) {
      path.add(taken[i]);
    }
  }
}
