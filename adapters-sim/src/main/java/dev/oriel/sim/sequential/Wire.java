package dev.oriel.sim.sequential;

import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Monitor;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What joins the fabrics of one process: a name for each fabric and each memory, and one monitor.
 *
 * <p>Whoever holds the monitor sees all that was done before, so one operation at a time is visible
 * at once and needs no fence. Whoever changes bytes tells those who wait.
 */
final class Wire implements Monitor {
  /** A clock may be virtual, so waiting threads look at it every now and then. */
  private static final long LONGEST_SLEEP = TimeUnit.MILLISECONDS.toNanos(5);

  private final ReentrantLock monitor = new ReentrantLock();
  private final Condition changed = monitor.newCondition();
  private final Map<Long, SequentialFabric> fabrics = new HashMap<>();
  private final Map<Long, SequentialMemory> memories = new HashMap<>();
  private final long id = UUID.randomUUID().getMostSignificantBits();
  private long names;

  /** Tells this wire from every other one, also of other processes. */
  long id() {
    return id;
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

  long add(SequentialFabric fabric) {
    return locked(() -> {
      fabrics.put(++names, fabric);
      return names;
    });
  }

  long add(SequentialMemory memory) {
    return locked(() -> {
      memories.put(++names, memory);
      return names;
    });
  }

  void removeFabric(long name) {
    change(() -> fabrics.remove(name));
  }

  void removeMemory(long name) {
    change(() -> memories.remove(name));
  }

  @Nullable SequentialFabric fabric(long name) {
    return locked(() -> fabrics.get(name));
  }

  @Nullable SequentialMemory memory(long name) {
    return locked(() -> memories.get(name));
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
