package dev.oriel.ports.contract;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Waits for what never comes, with a deadline that soon passes. On a slow machine it may pass for
 * those who do come as well: then the same is done again with more time, and never is that looked
 * at which only shows that the machine is slow.
 */
public final class InVain {
  private static final int TIMES = 3;
  private static final int MORE = 6;

  private InVain() {}

  /**
   * What came of the first deadline that all who came had time enough in, or else of the longest,
   * which is 36 times the first.
   */
  public static <T> T waited(
      Duration first, Function<Duration, T> attempt, Predicate<T> timeEnough) {
    Duration deadline = first;
    T outcome = attempt.apply(deadline);
    for (int times = 1; times < TIMES && !timeEnough.test(outcome); times++) {
      deadline = deadline.multipliedBy(MORE);
      outcome = attempt.apply(deadline);
    }
    return outcome;
  }
}
