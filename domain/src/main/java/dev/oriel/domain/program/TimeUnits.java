package dev.oriel.domain.program;

import java.util.Locale;

/** Units of time in texts, the shortest first. */
public enum TimeUnits {
  NS(1),
  US(1_000),
  MS(1_000_000),
  S(1_000_000_000);

  private final long nanoseconds;

  TimeUnits(long nanoseconds) {
    this.nanoseconds = nanoseconds;
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
