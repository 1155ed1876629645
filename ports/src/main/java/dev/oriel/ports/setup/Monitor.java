package dev.oriel.ports.setup;

import dev.oriel.ports.Deadline;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Lets the ranks of one process take turns: who holds it sees all that was done before. */
public interface Monitor {

  /** What the action gives, while nobody else has a turn. */
  <T> T locked(Supplier<T> action);

  /** The same of an action that may end somebody's wait. */
  void change(Runnable action);

  /**
   * Blocks until {@code done}, which is asked while nobody else has a turn.
   *
   * @throws TimeoutException saying what is missing
   * @throws dev.oriel.ports.MachineException if the thread is interrupted
   */
  void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException;
}
