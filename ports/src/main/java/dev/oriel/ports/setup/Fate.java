package dev.oriel.ports.setup;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether a world was aborted, and by whom first. */
public interface Fate {

  /** Aborts it, unless somebody has; the first cause counts. */
  Abort abort(Abort mine);

  /** Who aborted it first, if anybody did; asked again and again by who waits. */
  Optional<Abort> aborted();

  /** Throws if it was aborted; {@code own} is what happened to this rank meanwhile, if so. */
  default void refuse(@Nullable Throwable own) {
    aborted()
        .ifPresent(abort -> {
          throw new AbortedException(abort, own);
        });
  }

  /** A collective call; a group that fails because ranks went away after an abort says so. */
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
