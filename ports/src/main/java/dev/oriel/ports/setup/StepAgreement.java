package dev.oriel.ports.setup;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.SetupStatus;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes a step that may fail on one rank end the same way on all. */
public final class StepAgreement {
  private StepAgreement() {}

  /**
   * The result of {@code part} on this rank, after it has worked on every rank. If it failed on
   * another rank, the caller frees the resources of its own part.
   *
   * @throws MachineException on every rank, with the lowest failing rank's reason; a rank that
   *     failed finds its own cause at the root
   */
  public static <T> T all(Bootstrap ranks, String step, Supplier<T> part) {
    @Nullable T mine = null;
    SetupStatus status = SetupStatus.ok();
    try {
      mine = part.get();
    } catch (BootstrapException e) {
      // The group itself is over: no agreement is possible.
      throw e;
    } catch (RuntimeException | OutOfMemoryError e) {
      // Whatever the failure is, the others wait for this rank's status.
      status = new SetupStatus.Failed(String.valueOf(e.getMessage()), e);
    }
    try {
      ranks.agree(step, status);
    } catch (BootstrapException e) {
      throw e.kind() == BootstrapException.Kind.AGREEMENT_FAILED ? refusal(e) : e;
    }
    return Objects.requireNonNull(mine, step);
  }

  private static MachineException refusal(BootstrapException e) {
    String message = String.valueOf(e.getMessage());
    return e.getCause() instanceof MachineException own && own.environment()
        ? MachineException.lacking(message, e)
        : new MachineException(message, e);
  }
}
