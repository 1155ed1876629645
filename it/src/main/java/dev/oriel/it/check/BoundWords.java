package dev.oriel.it.check;

import dev.oriel.sim.search.Strategy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Bounds that a search hit, in a few words each; {@code --verbose} and JSON have them in full. A
 * bound that is not known here is repeated as it is.
 */
final class BoundWords {
  /** Every kind that has words of its own, from what leaves out most to what leaves out least. */
  private enum Kind {
    SHARD("shard: ", "this is one part of the work; oriel merge joins all parts"),
    UNTRIED("memory: not tried: ", "memory ran out before these were tried: "),
    MEMORY("memory: ", "memory ran out before the end"),
    STOPPED("", "the search of all orders stopped early"),
    STEPS("steps: ", "an execution was stopped before its end"),
    DRAWN("drawn: ", "only the drawn orders were executed"),
    OVERTAKING("overtaking: ", "some requests that may overtake each other kept their order"),
    SUMS("sums: ", "some ways to reach an awaited sum were left out"),
    LOOKS("looks: ", "polls that find the same value again and again were cut short"),
    BUFFERING("load buffering: ", "a GPU may do a store before an earlier load, none here does");

    private final String start;
    private final String words;

    Kind(String start, String words) {
      this.start = start;
      this.words = words;
    }
  }

  private BoundWords() {}

  /** All of them, those that leave out most first. */
  static List<String> of(List<String> bounds) {
    return bounds.stream()
        .sorted(Comparator.comparing(BoundWords::kind))
        .map(BoundWords::words)
        .distinct()
        .toList();
  }

  /** Whether it is one of a search for everything that stopped before it was through. */
  static boolean stops(String bound) {
    return kind(bound) == Kind.STOPPED || kind(bound) == Kind.MEMORY;
  }

  /** Whether it says that only a part of the work was done. */
  static boolean shard(String bound) {
    return kind(bound) == Kind.SHARD;
  }

  private static Kind kind(String bound) {
    return Arrays.stream(Kind.values())
        .filter(kind -> !kind.start.isEmpty() && bound.startsWith(kind.start))
        .findFirst()
        .orElse(Kind.STOPPED);
  }

  private static String words(String bound) {
    Kind kind = kind(bound);
    boolean stopped =
        Arrays.stream(Strategy.values())
            .anyMatch(strategy -> bound.startsWith(strategy.spelling() + ": stopped at "));
    return switch (kind) {
      case STOPPED -> stopped ? kind.words + reach(bound) : bound;
      case UNTRIED -> kind.words + bound.substring(kind.start.length());
      default -> kind.words;
    };
  }

  /** How far a search came that stopped, as the bound says it. */
  private static String reach(String bound) {
    int from = bound.indexOf("states=");
    int end = bound.indexOf(',', from);
    return from < 0 || end < 0 ? "" : ", after " + bound.substring(from + 7, end) + " states";
  }
}
