package dev.oriel.sim.sequential;

import dev.oriel.bootstrap.LockMonitor;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Connects the fabrics of one process: a name for each fabric and each memory, and one monitor.
 *
 * <p>A holder of the monitor observes everything done before. Operations therefore happen one at a
 * time, are visible at once and need no fence. A thread that changes bytes wakes the waiting
 * threads.
 */
final class SequentialWire extends LockMonitor {
  private final Map<Long, SequentialFabric> fabrics = new HashMap<>();
  private final Map<Long, SequentialMemory> memories = new HashMap<>();
  private final long id = UUID.randomUUID().getMostSignificantBits();
  private long names;

  /** Distinguishes this wire from every other one, also in other processes. */
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
