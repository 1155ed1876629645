package dev.oriel.domain.mscclpp;

import dev.oriel.domain.program.Expr;
import java.util.HashMap;
import java.util.Map;

/**
 * Values of counters that grow over all launches. Every launch adds the same to a counter, so its
 * value after event k of a launch is known: (epoch - 1) * events of a launch + k + 1.
 */
final class LaunchCounts {
  private final Map<String, Integer> perLaunch = new HashMap<>();
  private final Map<String, Integer> done = new HashMap<>();

  /**
   * Announces one more event of a launch; all are announced before the first value is asked for.
   */
  void announce(String counter) {
    perLaunch.merge(counter, 1, Integer::sum);
  }

  int perLaunch(String counter) {
    return perLaunch.getOrDefault(counter, 0);
  }

  /**
   * The value after the next event, if each event adds {@code step} and the counter began lower.
   */
  Expr next(String counter, int step, int below) {
    int event = done.merge(counter, 1, Integer::sum);
    long value = (long) step * event - below;
    Expr before = Expr.epoch().minus(1).times((long) step * perLaunch(counter));
    return value < 0 ? before.minus(-value) : before.plus(value);
  }

  Expr next(String counter) {
    return next(counter, 1, 0);
  }
}
