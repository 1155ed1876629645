package dev.oriel.cuda.window;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Fate;
import dev.oriel.ports.setup.Monitor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What joins the ranks of a process: one monitor, and a number for whatever one rank shows the
 * others.
 */
final class World implements Monitor {
  /** A clock may be virtual, so waiting threads look at it every now and then. */
  private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(5);

  private final ReentrantLock monitor = new ReentrantLock();
  private final Condition changed = monitor.newCondition();
  private final Map<Long, Object> shown = new HashMap<>();
  private long numbers;

  /** Shows it to all ranks, by the number that is returned. */
  long show(Object what) {
    return locked(() -> {
      shown.put(++numbers, what);
      return numbers;
    });
  }

  void hide(long number) {
    change(() -> shown.remove(number));
  }

  /** What somebody shows by that number. */
  <T> T seen(long number, Class<T> type) {
    @Nullable Object what = locked(() -> shown.get(number));
    if (!type.isInstance(what)) {
      throw new MachineException(
          "not of this process: number=%d, type=%s; let all ranks join through one factory"
              .formatted(number, type.getSimpleName()));
    }
    return type.cast(what);
  }

  Fate fate() {
    return new Fate(this);
  }

  @Override
  public <T> T locked(Supplier<T> action) {
    monitor.lock();
    try {
      return action.get();
    } finally {
      monitor.unlock();
    }
  }

  @Override
  public void change(Runnable action) {
    monitor.lock();
    try {
      action.run();
      changed.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  @Override
  public void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    monitor.lock();
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
      monitor.unlock();
    }
  }
}
