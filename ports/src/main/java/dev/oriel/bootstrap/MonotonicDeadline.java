package dev.oriel.bootstrap;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A point of the monotonic clock after which every wait ends. */
record MonotonicDeadline(long nanoTime) {
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final long VERDICT_CAP = TimeUnit.SECONDS.toNanos(2);

  static MonotonicDeadline in(Duration duration) {
    dev.oriel.ports.Deadline.check(duration);
    Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return new MonotonicDeadline(System.nanoTime() + bounded.toNanos());
  }

  static MonotonicDeadline inMillis(long millis) {
    return in(Duration.ofMillis(Math.max(1, millis)));
  }

  /** Nanoseconds left, 0 or less once it has passed. */
  long left() {
    return nanoTime - System.nanoTime();
  }

  boolean passed() {
    return left() <= 0;
  }

  /** Milliseconds left as a positive int, to be sent to a peer. */
  int leftMillis() {
    long millis = TimeUnit.NANOSECONDS.toMillis(left());
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, millis));
  }

  MonotonicDeadline earlier(MonotonicDeadline other) {
    return nanoTime - other.nanoTime <= 0 ? this : other;
  }

  /**
   * The moment at which rank 0 stops waiting, early enough for its verdict to reach the others in
   * time: a quarter of the time left before this deadline, at most two seconds.
   */
  MonotonicDeadline verdict() {
    return new MonotonicDeadline(nanoTime - Math.min(VERDICT_CAP, Math.max(0, left() / 4)));
  }
}
