package dev.oriel.bootstrap;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Monitor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The monitor of ranks that are threads of one process: one lock, and one condition that every
 * change signals.
 */
public class LockMonitor implements Monitor {
  /** A clock may be virtual, so waiting threads look at it at least this often. */
  private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(5);

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @Override
  public final <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void change(Runnable action) {
    lock.lock();
    try {
      action.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    lock.lock();
    try {
      while (!done.getAsBoolean()) {
        if (deadline.passed()) {
          throw new TimeoutException(missing.get());
        }
        long ignored = changed.awaitNanos(Math.clamp(deadline.left(), 0, LONGEST_SLEEP));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MachineException("interrupted: " + missing.get(), e);
    } finally {
      lock.unlock();
    }
  }
}
