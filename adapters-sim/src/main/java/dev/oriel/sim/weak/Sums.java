package dev.oriel.sim.weak;

import dev.oriel.domain.window.Comparison;
import java.util.ArrayList;
import java.util.List;

/** Which messages of several words may have made up a sum that satisfied an await. */
final class Sums {
  /** Above it, further ways to make up the sum are left out. */
  static final int MAX = 64;

  private Sums() {}

  /** Combinations up to which every one is tried. */
  private static final int MAX_TRIED = 4096;

  /** The choices of one readable message per word that satisfy, and whether all were found. */
  record Found(List<int[]> choices, boolean all) {}

  /** Whether the newest messages satisfy, or any others do. */
  static boolean satisfiable(
      List<SyncWord> words, int lane, int[] clock, Comparison comparison, long value) {
    int[] newest = words.stream().mapToInt(w -> w.messages.size() - 1).toArray();
    return satisfies(words, newest, comparison, value)
        || !minimal(words, lane, clock, comparison, value).choices().isEmpty();
  }

  /**
   * Choices that satisfy and read nothing they could omit: every one where there are few to try,
   * else one for each word that is read as early as possible.
   */
  static Found minimal(
      List<SyncWord> words, int lane, int[] clock, Comparison comparison, long value) {
    int[] oldest = words.stream().mapToInt(w -> w.oldest(lane, clock)).toArray();
    long tried = 1;
    for (int w = 0; w < oldest.length && tried <= MAX_TRIED; w++) {
      tried *= words.get(w).messages.size() - oldest[w];
    }
    List<int[]> found = new ArrayList<>();
    if (tried <= MAX_TRIED) {
      search(words, oldest, oldest.clone(), 0, comparison, value, found);
      return new Found(found, found.size() < MAX);
    }
    for (int first = 0; first < Math.min(MAX, words.size()); first++) {
      lowered(words, oldest, first, comparison, value, found);
    }
    return new Found(found, false);
  }

  /**
   * From the newest messages of all, reads {@code first} and then the others as early as it can.
   */
  private static void lowered(
      List<SyncWord> words,
      int[] oldest,
      int first,
      Comparison comparison,
      long value,
      List<int[]> found) {
    int[] chosen = words.stream().mapToInt(w -> w.messages.size() - 1).toArray();
    if (!satisfies(words, chosen, comparison, value)) {
      return;
    }
    for (int i = 0; i < chosen.length; i++) {
      int w = (first + i) % chosen.length;
      boolean still = true;
      while (still && chosen[w] > oldest[w]) {
        chosen[w]--;
        still = satisfies(words, chosen, comparison, value);
        chosen[w] += still ? 0 : 1;
      }
    }
    found.add(chosen);
  }

  private static void search(
      List<SyncWord> words,
      int[] oldest,
      int[] chosen,
      int word,
      Comparison comparison,
      long value,
      List<int[]> found) {
    if (found.size() == MAX) {
      return;
    }
    if (word == words.size()) {
      if (satisfies(words, chosen, comparison, value)
          && isMinimal(words, oldest, chosen, comparison, value)) {
        found.add(chosen.clone());
      }
      return;
    }
    for (int i = oldest[word]; i < words.get(word).messages.size(); i++) {
      chosen[word] = i;
      search(words, oldest, chosen, word + 1, comparison, value, found);
    }
    chosen[word] = oldest[word];
  }

  private static boolean isMinimal(
      List<SyncWord> words, int[] oldest, int[] chosen, Comparison comparison, long value) {
    for (int w = 0; w < chosen.length; w++) {
      if (chosen[w] > oldest[w]) {
        chosen[w]--;
        boolean still = satisfies(words, chosen, comparison, value);
        chosen[w]++;
        if (still) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean satisfies(
      List<SyncWord> words, int[] chosen, Comparison comparison, long value) {
    long sum = 0;
    for (int w = 0; w < chosen.length; w++) {
      sum += words.get(w).messages.get(chosen[w]).value();
    }
    return comparison.test(sum, value);
  }
}
