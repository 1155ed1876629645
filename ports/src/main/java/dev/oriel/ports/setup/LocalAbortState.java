package dev.oriel.ports.setup;

import dev.oriel.ports.Abort;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The abort state of ranks that all hold this object. */
public final class LocalAbortState implements AbortState {
  private final Monitor monitor;
  private @Nullable Abort first;

  public LocalAbortState(Monitor monitor) {
    this.monitor = monitor;
  }

  @Override
  public Abort abort(Abort mine) {
    monitor.change(() -> first = first == null ? mine : first);
    return aborted().orElseThrow();
  }

  @Override
  public Optional<Abort> aborted() {
    return monitor.locked(() -> Optional.ofNullable(first));
  }
}
