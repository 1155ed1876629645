package dev.oriel.cuda.window;

import dev.oriel.bootstrap.LockMonitor;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Fate;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What joins the ranks of a process: one monitor, and a number for whatever one rank shows the
 * others.
 */
final class World extends LockMonitor {
  private final Map<Long, Object> shown = new HashMap<>();
  private long numbers;

  /** Shows it to all ranks, by the number that is returned. */
  long show(Object what) {
    return locked(() -> {
      shown.put(++numbers, what);
      return numbers;
    });
  }

  void hide(long number) {
    change(() -> shown.remove(number));
  }

  /** What somebody shows by that number. */
  <T> T seen(long number, Class<T> type) {
    @Nullable Object what = locked(() -> shown.get(number));
    if (!type.isInstance(what)) {
      throw new MachineException(
          "not of this process: number=%d, type=%s; let all ranks join through one factory"
              .formatted(number, type.getSimpleName()));
    }
    return type.cast(what);
  }

  Fate fate() {
    return Fate.of(this);
  }
}
