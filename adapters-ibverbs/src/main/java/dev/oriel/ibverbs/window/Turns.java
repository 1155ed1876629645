package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.Idle;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Monitor;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets the lanes of a rank take turns at its fabric, which one thread at a time uses, and waits by
 * looking again: interfaces write words and tell nobody.
 *
 * <p>Nothing that is done in a turn waits for a peer: who waits gives the turn back between two
 * looks, so that no lane keeps another one from its deadline.
 */
final class Turns implements Monitor {
  /** A peer that is gone fails the queue after its retries; this is for one that is stuck. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final VerbsFabric fabric;
  private final Clock clock;
  private final ReentrantLock lock = new ReentrantLock();

  Turns(VerbsFabric fabric, Clock clock) {
    this.fabric = fabric;
    this.clock = clock;
  }

  /** When to give up where no caller says so. */
  Deadline patience() {
    return Deadline.in(PATIENCE, clock);
  }

  @Override
  public <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void change(Runnable action) {
    boolean ignored =
        locked(() -> {
          action.run();
          return true;
        });
  }

  @Override
  public void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    Idle idle = new Idle();
    while (!locked(done::getAsBoolean)) {
      if (deadline.passed()) {
        throw new TimeoutException(missing.get());
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new MachineException("interrupted: " + missing.get());
      }
      if (locked(fabric::progress)) {
        idle.busy();
      } else {
        idle.rest();
      }
    }
  }

  /**
   * The same where no caller says when to give up.
   *
   * @throws MachineException saying what is missing
   */
  void await(BooleanSupplier done, Supplier<String> missing) {
    try {
      await(done, patience(), missing);
    } catch (TimeoutException e) {
      throw new MachineException(missing.get(), e);
    }
  }
}
