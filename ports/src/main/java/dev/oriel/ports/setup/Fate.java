package dev.oriel.ports.setup;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether a world was aborted, and by whom first. */
public abstract class Fate {

  /** That of ranks which take turns at that monitor. */
  public static Fate of(Monitor monitor) {
    return new SharedFate(monitor);
  }

  /** Aborts it, unless somebody has; the first cause counts. */
  public abstract Abort abort(Abort mine);

  /** Who aborted it first, if anybody did. */
  public abstract Optional<Abort> aborted();

  /** Throws if it was aborted. */
  public final void refuse(@Nullable Throwable own) {
    aborted()
        .ifPresent(abort -> {
          throw new AbortedException(abort, own);
        });
  }

  /** A collective call; a group that fails because ranks went away after an abort says so. */
  public final <T> T during(Supplier<T> call) {
    refuse(null);
    try {
      return call.get();
    } catch (BootstrapException e) {
      refuse(e);
      throw e;
    }
  }
}
