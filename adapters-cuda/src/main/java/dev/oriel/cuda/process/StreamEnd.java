package dev.oriel.cuda.process;

import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits until a stream is idle, or gives up waiting. */
public final class StreamEnd {
  /** How long the host waits once it has asked kernels to end. */
  public static final Duration GRACE = Duration.ofSeconds(5);

  private StreamEnd() {}

  /**
   * Waits until the stream is idle; once the deadline has passed, asks kernels to give up.
   *
   * @param unwanted whether to stop waiting before the deadline
   * @param ask asks kernels to give up, including later ones; called at most once
   * @return whether kernels were asked; the work of the stream may have completed all the same
   */
  public static boolean asked(
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
      PollingWaitStrategy.pause(look);
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

  /** Whether the stream became idle in that time. */
  public static boolean ended(BooleanSupplier idle, Duration timeout, Clock clock) {
    Deadline until = Deadline.in(timeout, clock);
    for (int look = 0; !idle.getAsBoolean(); look++) {
      if (until.passed()) {
        return false;
      }
      PollingWaitStrategy.pause(look);
    }
    return true;
  }
}
