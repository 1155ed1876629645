package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.Idle;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Monitor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets the lanes of a rank take turns at its fabric, which one thread at a time uses, and waits by
 * looking again: interfaces write words and tell nobody.
 */
final class Turns implements Monitor {
  private final VerbsFabric fabric;
  private final ReentrantLock lock = new ReentrantLock();

  Turns(VerbsFabric fabric) {
    this.fabric = fabric;
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
}
