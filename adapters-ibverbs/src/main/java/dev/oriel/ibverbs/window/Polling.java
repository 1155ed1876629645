package dev.oriel.ibverbs.window;

import dev.oriel.ibverbs.fabric.Idle;
import dev.oriel.ibverbs.fabric.VerbsFabric;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Monitor;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits by looking again: interfaces write words and tell nobody. Of one rank, and its thread. */
final class Polling implements Monitor {
  private final VerbsFabric fabric;

  Polling(VerbsFabric fabric) {
    this.fabric = fabric;
  }

  @Override
  public <T> T locked(Supplier<T> action) {
    return action.get();
  }

  @Override
  public void change(Runnable action) {
    action.run();
  }

  @Override
  public void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException {
    Idle idle = new Idle();
    while (!done.getAsBoolean()) {
      if (deadline.passed()) {
        throw new TimeoutException(missing.get());
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new MachineException("interrupted: " + missing.get());
      }
      if (fabric.progress()) {
        idle.busy();
      } else {
        idle.rest();
      }
    }
  }
}
