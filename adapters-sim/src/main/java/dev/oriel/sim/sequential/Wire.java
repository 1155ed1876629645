package dev.oriel.sim.sequential;

import dev.oriel.bootstrap.LockMonitor;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What joins the fabrics of one process: a name for each fabric and each memory, and one monitor.
 *
 * <p>Whoever holds the monitor sees all that was done before, so one operation at a time is visible
 * at once and needs no fence. Whoever changes bytes tells those who wait.
 */
final class Wire extends LockMonitor {
  private final Map<Long, SequentialFabric> fabrics = new HashMap<>();
  private final Map<Long, SequentialMemory> memories = new HashMap<>();
  private final long id = UUID.randomUUID().getMostSignificantBits();
  private long names;

  /** Tells this wire from every other one, also of other processes. */
  long id() {
    return id;
  }

  long add(SequentialFabric fabric) {
    return locked(() -> {
      fabrics.put(++names, fabric);
      return names;
    });
  }

  long add(SequentialMemory memory) {
    return locked(() -> {
      memories.put(++names, memory);
      return names;
    });
  }

  void removeFabric(long name) {
    change(() -> fabrics.remove(name));
  }

  void removeMemory(long name) {
    change(() -> memories.remove(name));
  }

  @Nullable SequentialFabric fabric(long name) {
    return locked(() -> fabrics.get(name));
  }

  @Nullable SequentialMemory memory(long name) {
    return locked(() -> memories.get(name));
  }
}
