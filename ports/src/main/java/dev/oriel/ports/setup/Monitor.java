package dev.oriel.ports.setup;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Mutual exclusion for the ranks of one process: its holder sees everything done by earlier
 * holders. Conditions of waits are evaluated while no other thread holds it.
 */
public interface Monitor extends WaitStrategy {

  /** The result of the action, run exclusively. */
  <T> T locked(Supplier<T> action);

  /** Runs an action that may end another thread's wait. */
  void change(Runnable action);

  @Override
  default boolean now(BooleanSupplier done) {
    return locked(done::getAsBoolean);
  }
}
