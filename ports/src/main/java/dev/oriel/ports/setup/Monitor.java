package dev.oriel.ports.setup;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets the ranks of one process take turns: who holds it sees all that was done before. What is
 * waited for is asked while nobody else has a turn.
 */
public interface Monitor extends Waits {

  /** What the action gives, while nobody else has a turn. */
  <T> T locked(Supplier<T> action);

  /** The same of an action that may end somebody's wait. */
  void change(Runnable action);

  @Override
  default boolean now(BooleanSupplier done) {
    return locked(done::getAsBoolean);
  }
}
