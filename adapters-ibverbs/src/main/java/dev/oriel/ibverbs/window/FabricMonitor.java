package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.PollBackoff;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Monitor;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Shares a rank's fabric between its lanes, since one thread at a time can use it. Waits by
 * polling: interfaces write words and wake no thread.
 *
 * <p>No action under the lock waits for a peer. A waiting lane releases the lock between two polls:
 * no lane keeps another from its deadline.
 */
final class FabricMonitor implements Monitor {
  /** If a peer is gone, its queue fails after its retries; this limit is for one that is stuck. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final VerbsFabric fabric;
  private final Clock clock;

  FabricMonitor(VerbsFabric fabric, Clock clock) {
    this.fabric = fabric;
    this.clock = clock;
  }

  /** The deadline of waits for which callers give none. */
  Deadline deadline() {
    return Deadline.in(TIMEOUT, clock);
  }

  /** Takes a step of the fabric; returns whether there was anything to do. */
  boolean progress() {
    return locked(fabric::progress);
  }

  @Override
  public <T> T locked(Supplier<T> action) {
    return fabric.locked(action);
  }

  @Override
  public void change(Runnable action) {
    fabric.change(action);
  }

  @Override
  public void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    PollBackoff idle = new PollBackoff();
    while (!locked(done::getAsBoolean)) {
      if (deadline.passed()) {
        throw new TimeoutException(missing.get());
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new MachineException("interrupted: " + missing.get());
      }
      fabric
          .failure()
          .ifPresent(failure -> {
            throw new MachineException(failure + "; waited for this: " + missing.get());
          });
      if (progress()) {
        idle.busy();
      } else {
        idle.rest();
      }
    }
  }

  /**
   * Waits with {@link #deadline} as the deadline.
   *
   * @throws MachineException saying what is missing
   */
  void await(BooleanSupplier done, Supplier<String> missing) {
    try {
      await(done, deadline(), missing);
    } catch (TimeoutException e) {
      throw new MachineException(missing.get(), e);
    }
  }
}
