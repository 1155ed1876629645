package dev.oriel.ports.setup;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether a world was aborted, and by whom first. */
public final class Fate {
  private final Monitor monitor;
  private @Nullable Abort first;

  public Fate(Monitor monitor) {
    this.monitor = monitor;
  }

  /** Aborts it, unless somebody has; the first cause counts. */
  public Abort abort(Abort mine) {
    monitor.change(() -> first = first == null ? mine : first);
    return aborted().orElseThrow();
  }

  /** Who aborted it first, if anybody did. */
  public Optional<Abort> aborted() {
    return monitor.locked(() -> Optional.ofNullable(first));
  }

  /** Throws if it was aborted. */
  public void refuse(@Nullable Throwable own) {
    aborted()
        .ifPresent(abort -> {
          throw new AbortedException(abort, own);
        });
  }

  /** A collective call; a group that fails because ranks went away after an abort says so. */
  public <T> T during(Supplier<T> call) {
    refuse(null);
    try {
      return call.get();
    } catch (BootstrapException e) {
      refuse(e);
      throw e;
    }
  }
}
