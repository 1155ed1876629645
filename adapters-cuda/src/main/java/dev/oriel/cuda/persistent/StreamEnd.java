package dev.oriel.cuda.persistent;

import dev.oriel.cuda.process.Polling;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits until a stream has come to its end, or refuses to wait longer. */
final class StreamEnd {
  /** How long the host waits once it has asked kernels to end. */
  static final Duration GRACE = Duration.ofSeconds(5);

  private StreamEnd() {}

  /**
   * Waits for the end, and asks for it once the deadline has passed.
   *
   * @param unwanted whether nobody wants to wait, whatever the deadline
   * @param ask asks kernels to give up, also those that come later; called once at most
   * @return whether that was asked for; what was in the stream may have ended well all the same
   */
  static boolean asked(
      BooleanSupplier idle,
      BooleanSupplier unwanted,
      Runnable ask,
      Duration deadline,
      Clock clock) {
    Deadline until = Deadline.in(deadline, clock);
    for (int look = 0; !idle.getAsBoolean(); look++) {
      if (unwanted.getAsBoolean() || until.passed()) {
        ask.run();
        awaitAsked(idle, clock);
        return true;
      }
      Polling.pause(look);
    }
    return false;
  }

  private static void awaitAsked(BooleanSupplier idle, Clock clock) {
    if (!ended(idle, GRACE, clock)) {
      throw new MachineException(
          "stream does not end: grace=%s; if work of your own is in it, end that before reset, or else the kernels of calls are stuck and the process must end"
              .formatted(GRACE));
    }
  }

  /** Whether it came to its end in that time. */
  static boolean ended(BooleanSupplier idle, Duration patience, Clock clock) {
    Deadline until = Deadline.in(patience, clock);
    for (int look = 0; !idle.getAsBoolean(); look++) {
      if (until.passed()) {
        return false;
      }
      Polling.pause(look);
    }
    return true;
  }
}
