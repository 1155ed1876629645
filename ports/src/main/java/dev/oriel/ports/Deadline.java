package dev.oriel.ports;

import java.time.Duration;

/** A point in a clock's time after which every wait ends. */
public record Deadline(Clock clock, long nanos) {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** The deadline {@code duration} from now; durations over a century count as a century. */
  public static Deadline in(Duration duration, Clock clock) {
    check(duration);
    Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return new Deadline(clock, clock.nanos() + bounded.toNanos());
  }

  /** Rejects a duration of zero or less. */
  public static void check(Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "deadline must be positive: deadline=" + duration + "; give the time a call may take");
    }
  }

  /** Nanoseconds left, 0 or less once it has passed. */
  public long left() {
    return nanos - clock.nanos();
  }

  /** Whether it has passed. */
  public boolean passed() {
    return left() <= 0;
  }
}
