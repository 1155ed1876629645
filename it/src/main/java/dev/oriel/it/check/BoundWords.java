package dev.oriel.it.check;

import dev.oriel.sim.search.Strategy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bounds that a search reached, in a few words each; {@code --verbose} and JSON have them in
 * full. An unknown bound is printed unchanged.
 */
final class BoundWords {
  /** The kinds with words of their own, in order of how much they leave out, the most first. */
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
    BUFFERING(
        "load buffering: ",
        "a GPU may execute a store before an earlier load; the simulator does not");

    private final String start;
    private final String words;

    Kind(String start, String words) {
      this.start = start;
      this.words = words;
    }
  }

  private static final Pattern REACH =
      Pattern.compile("states=(\\d+), steps=\\d+ by (?:rank=\\d+, lane=(\\S+) took|([^,;]+))");

  private BoundWords() {}

  /** All of them, those that leave out most first. */
  static List<String> of(List<String> bounds) {
    // In one combination a strategy stops only once.
    List<String> stopped =
        bounds.stream()
            .filter(BoundWords::stopped)
            .map(bound -> bound.substring(0, bound.indexOf(':')))
            .toList();
    boolean several = Set.copyOf(stopped).size() < stopped.size();
    return bounds.stream()
        .sorted(Comparator.comparing(BoundWords::kind))
        .map(bound ->
            several && stopped(bound)
                ? Kind.STOPPED.words + " in several combinations"
                : words(bound))
        .distinct()
        .toList();
  }

  /** Whether it says that an exhaustive search stopped early. */
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

  private static boolean stopped(String bound) {
    return Arrays.stream(Strategy.values())
        .anyMatch(strategy -> bound.startsWith(strategy.spelling() + ": stopped at "));
  }

  private static String words(String bound) {
    Kind kind = kind(bound);
    return switch (kind) {
      case STOPPED -> stopped(bound) ? stop(bound) : bound;
      case UNTRIED -> kind.words + bound.substring(kind.start.length());
      default -> kind.words;
    };
  }

  /** The progress of a stopped search and what stopped it, from its bound. */
  private static String stop(String bound) {
    Matcher reach = REACH.matcher(bound);
    if (!reach.find()) {
      return Kind.STOPPED.words;
    }
    String states = reach.group(1);
    String lane = reach.group(2);
    return lane == null
        ? "%s, after %s states, by %s".formatted(Kind.STOPPED.words, states, reach.group(3))
        : "a loop of lane %s stopped the search of all orders, after %s states"
            .formatted(lane, states);
  }
}
