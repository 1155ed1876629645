package dev.oriel.domain.program;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Units of time in texts, the shortest first. */
public enum TimeUnits {
  NS(TimeUnit.NANOSECONDS),
  US(TimeUnit.MICROSECONDS),
  MS(TimeUnit.MILLISECONDS),
  S(TimeUnit.SECONDS);

  private final long nanoseconds;

  TimeUnits(TimeUnit unit) {
    this.nanoseconds = unit.toNanos(1);
  }

  /** The number of nanoseconds in one of this unit. */
  public long nanoseconds() {
    return nanoseconds;
  }

  /** The spelling of the unit, after a number. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The time in the longest unit that divides it. */
  public static String print(long nanoseconds) {
    TimeUnits longest = NS;
    for (TimeUnits unit : values()) {
      if (nanoseconds % unit.nanoseconds == 0) {
        longest = unit;
      }
    }
    return nanoseconds / longest.nanoseconds + longest.spelling();
  }
}
