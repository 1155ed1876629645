package dev.oriel.ports.setup;

import dev.oriel.ports.Deadline;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** How a rank waits for actions of other ranks. */
public interface WaitStrategy {

  /** Whether the condition holds now, evaluated as by {@link #await}. */
  boolean now(BooleanSupplier done);

  /**
   * Blocks until {@code done}.
   *
   * @throws TimeoutException with the missing event
   * @throws dev.oriel.ports.MachineException if the thread is interrupted
   */
  void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException;
}
