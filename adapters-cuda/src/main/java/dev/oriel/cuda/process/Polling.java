package dev.oriel.cuda.process;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Waits;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what other processes write: by looking, for nobody could wake the one who waits. */
public final class Polling implements Waits {
  /** Looks without a rest; what comes soon is not slept through. */
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

  /** Between two looks; others who wait on this processor, and whom they wait for, come to run. */
  public static void pause(int look) {
    if (look < EAGER) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(REST);
    }
  }
}
