package dev.oriel.ports.contract;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Waits with a short deadline for an event that never comes. On a slow machine the deadline may
 * also pass for ranks that do come. Then the wait is repeated with more time, so that a result
 * never shows only that the machine is slow.
 */
public final class InVain {
  private static final int TIMES = 3;
  private static final int MORE = 6;

  private InVain() {}

  /**
   * The result with the first deadline that was long enough for all ranks that came, or else with
   * the longest, which is 36 times the first.
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
