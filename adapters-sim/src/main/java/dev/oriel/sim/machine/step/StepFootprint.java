package dev.oriel.sim.machine.step;

import java.util.Arrays;

/**
 * The words that steps read or changed since the last clear, as far as the order matters. Two steps
 * commute if neither changed a word that the other read or changed.
 */
public final class StepFootprint {
  private int[] words = new int[16];
  private int count;

  public void read(int word) {
    add(2 * word);
  }

  public void changed(int word) {
    add(2 * word + 1);
  }

  private void add(int entry) {
    if (count == words.length) {
      words = Arrays.copyOf(words, 2 * count);
    }
    words[count++] = entry;
  }

  /** How many words were noted; one that was noted twice counts twice. */
  public int size() {
    return count;
  }

  public void clear() {
    count = 0;
  }

  /** Whether the order of the two sets of steps matters. */
  public boolean meets(StepFootprint other) {
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < other.count; k++) {
        if (words[i] >> 1 == other.words[k] >> 1 && ((words[i] | other.words[k]) & 1) == 1) {
          return true;
        }
      }
    }
    return false;
  }
}
