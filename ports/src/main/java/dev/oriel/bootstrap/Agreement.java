package dev.oriel.bootstrap;

import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.BootstrapException;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Status;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes a step that may fail on one rank end the same on all. */
public final class Agreement {
  private final Bootstrap ranks;

  public Agreement(Bootstrap ranks) {
    this.ranks = ranks;
  }

  /**
   * What this rank's part gave, once every other rank did its part too. What a part holds when
   * another's failed is the caller's to free.
   *
   * @throws MachineException on every rank, with the lowest failing rank's reason
   */
  public <T> T on(String step, Supplier<T> part) {
    @Nullable T mine = null;
    Status status = Status.ok();
    try {
      mine = part.get();
    } catch (RuntimeException e) {
      // Whatever it was: others must not wait for a rank that will not come.
      status = new Status.Failed(String.valueOf(e.getMessage()), e);
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
        ? MachineException.lacking(message)
        : new MachineException(message, e);
  }
}
