package dev.oriel.sim.sequential;

import dev.oriel.ports.Abort;
import dev.oriel.ports.AbortedException;
import dev.oriel.ports.BootstrapException;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whether a world was aborted, and by whom first; under the wire's monitor. */
final class Fate {
  private final Wire wire;
  private @Nullable Abort first;

  Fate(Wire wire) {
    this.wire = wire;
  }

  Abort abort(Abort mine) {
    wire.change(() -> first = first == null ? mine : first);
    return aborted().orElseThrow();
  }

  Optional<Abort> aborted() {
    return wire.locked(() -> Optional.ofNullable(first));
  }

  void refuse(@Nullable Throwable own) {
    aborted()
        .ifPresent(abort -> {
          throw new AbortedException(abort, own);
        });
  }

  /** A collective call; a group that fails because ranks went away after an abort says so. */
  <T> T during(Supplier<T> call) {
    refuse(null);
    try {
      return call.get();
    } catch (BootstrapException e) {
      refuse(e);
      throw e;
    }
  }
}
