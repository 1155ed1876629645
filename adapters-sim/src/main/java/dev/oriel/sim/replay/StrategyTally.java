package dev.oriel.sim.replay;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The results of one strategy in some executions. Addition is associative and commutative, with
 * {@link #NOTHING} as its neutral element.
 *
 * @param coverage how often each point was reached; the engine defines the points
 */
public record StrategyTally(
    long executions, long states, SortedMap<String, Long> coverage, Optional<First> first) {

  /** The tally of no execution. */
  public static final StrategyTally NOTHING =
      new StrategyTally(0, 0, new TreeMap<>(), Optional.empty());

  /**
   * The failing execution with the lowest number.
   *
   * @param execution its number in the campaign, from 0
   * @param token the line that repeats it
   */
  public record First(long execution, String kind, String token) {
    static final Comparator<First> ORDER =
        Comparator.comparingLong(First::execution)
            .thenComparing(First::kind)
            .thenComparing(First::token);

    public First {
      natural("execution", execution);
    }
  }

  public StrategyTally {
    natural("executions", executions);
    natural("states", states);
    coverage.forEach(StrategyTally::natural);
    coverage = Collections.unmodifiableSortedMap(new TreeMap<>(coverage));
  }

  /** The sum of both. */
  public StrategyTally plus(StrategyTally other) {
    TreeMap<String, Long> points = new TreeMap<>(coverage);
    for (Map.Entry<String, Long> e : other.coverage.entrySet()) {
      points.merge(e.getKey(), e.getValue(), Math::addExact);
    }
    return new StrategyTally(
        Math.addExact(executions, other.executions),
        Math.addExact(states, other.states),
        points,
        first
            .map(mine -> other.first.filter(o -> First.ORDER.compare(o, mine) < 0).orElse(mine))
            .or(() -> other.first));
  }

  private static void natural(String what, long value) {
    if (value < 0) {
      throw new ReplayException("negative count: %s=%d; give 0 or more".formatted(what, value));
    }
  }
}
