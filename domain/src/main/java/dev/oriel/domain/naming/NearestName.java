package dev.oriel.domain.naming;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelled one most likely means. */
public final class NearestName {
  /** Longer names are compared up to here, so that a hostile text costs little. */
  private static final int COMPARED = 64;

  /** One mistake is allowed for this many letters: shorter names are too much alike. */
  private static final int LETTERS_PER_MISTAKE = 3;

  private NearestName() {}

  /**
   * The nearest name, the first of several; empty if none is near. Capital and small letters count
   * as equal, and a mistake is one letter too many, missing, wrong, or exchanged with the next one.
   */
  public static Optional<String> of(String name, Collection<String> known) {
    String given = folded(name);
    Optional<String> nearest = Optional.empty();
    int least = given.length() / LETTERS_PER_MISTAKE + 1;
    for (String candidate : known) {
      int distance = candidate.equals(name) ? least : distance(given, folded(candidate));
      if (distance < least) {
        least = distance;
        nearest = Optional.of(candidate);
      }
    }
    return nearest;
  }

  /** {@code did you mean NAME? }, with a space at its end; empty if no name is near. */
  public static String question(String name, Collection<String> known) {
    return of(name, known).map(nearest -> "did you mean " + nearest + "? ").orElse("");
  }

  private static String folded(String name) {
    return name.substring(0, Math.min(name.length(), COMPARED)).toLowerCase(Locale.ROOT);
  }

  /** The number of mistakes that turn one into the other. */
  private static int distance(String a, String b) {
    int[][] counts = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          counts[i][j] = i + j;
          continue;
        }
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int least =
            Math.min(
                counts[i - 1][j - 1] + (same ? 0 : 1),
                Math.min(counts[i - 1][j], counts[i][j - 1]) + 1);
        boolean exchanged =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        counts[i][j] = exchanged ? Math.min(least, counts[i - 2][j - 2] + 1) : least;
      }
    }
    return counts[a.length()][b.length()];
  }
}
