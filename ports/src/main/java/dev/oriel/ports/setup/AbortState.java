package dev.oriel.ports.setup;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether a world was aborted, and by which rank first. */
public interface AbortState {

  /** Aborts the world, unless it is aborted already; returns the first abort. */
  Abort abort(Abort mine);

  /** The first abort, if any; waiting threads poll this. */
  Optional<Abort> aborted();

  /** Throws if the world was aborted; {@code own} is this rank's own failure meanwhile, if any. */
  default void refuse(@Nullable Throwable own) {
    aborted()
        .ifPresent(abort -> {
          throw new AbortedException(abort, own);
        });
  }

  /**
   * Runs a collective call; if the group fails because ranks left after an abort, it throws that
   * abort.
   */
  default <T> T during(Supplier<T> call) {
    refuse(null);
    try {
      return call.get();
    } catch (BootstrapException e) {
      refuse(e);
      throw e;
    }
  }
}
