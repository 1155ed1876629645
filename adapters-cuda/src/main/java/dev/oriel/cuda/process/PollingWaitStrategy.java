package dev.oriel.cuda.process;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WaitStrategy;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for memory that other processes write, by polling: they cannot wake a waiting thread. */
public final class PollingWaitStrategy implements WaitStrategy {
  /** The number of polls without a pause: an early change is then not slept through. */
  private static final int EAGER = 1000;

  private static final long REST = Duration.ofNanos(20_000).toNanos();

  @Override
  public boolean now(BooleanSupplier done) {
    return done.getAsBoolean();
  }

  @Override
  public void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    for (int look = 0; !done.getAsBoolean(); look++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new MachineException("interrupted: " + missing.get());
      }
      if (deadline.passed()) {
        throw new TimeoutException(missing.get());
      }
      pause(look);
    }
  }

  /**
   * Pauses between two polls: other threads on this processor can run, including the one that is
   * waited for.
   */
  public static void pause(int look) {
    if (look < EAGER) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(REST);
    }
  }
}
