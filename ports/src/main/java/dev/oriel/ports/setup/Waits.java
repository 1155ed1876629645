package dev.oriel.ports.setup;

import dev.oriel.ports.Deadline;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** How a rank waits for what others do. */
public interface Waits {

  /** Whether it is so by now; asked as {@link #await} asks. */
  boolean now(BooleanSupplier done);

  /**
   * Blocks until {@code done}.
   *
   * @throws TimeoutException saying what is missing
   * @throws dev.oriel.ports.MachineException if the thread is interrupted
   */
  void await(BooleanSupplier done, Deadline deadline, Supplier<String> missing)
      throws TimeoutException;
}
