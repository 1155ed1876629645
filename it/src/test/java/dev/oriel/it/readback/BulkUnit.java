package dev.oriel.it.readback;

import java.util.HashMap;
import java.util.Map;

/**
 * The bulk-copy unit of a block: what it fetches lies at a place of shared memory, and has come
 * only once a look at the place's barrier says so; the first look comes too early. When a place may
 * be used again is not looked at.
 */
final class BulkUnit {
  /** What lies at each place, and which barrier says that it has come. */
  private final Map<Long, byte[]> places = new HashMap<>();

  private final Map<Long, Long> barriers = new HashMap<>();
  private final Map<Long, Integer> phases = new HashMap<>();
  private final Map<Long, Integer> looks = new HashMap<>();

  void fetch(long place, byte[] bytes, long barrier) {
    places.put(place, bytes);
    barriers.put(place, barrier);
    phases.merge(barrier, 1, Integer::sum);
    looks.put(barrier, 0);
  }

  /** Whether what the barrier is for has come, in the phase of that parity. */
  boolean come(long barrier, long parity) {
    if (phases.getOrDefault(barrier, 0) % 2 == parity) {
      throw new Mismatch("waits for another phase of the place's barrier: parity=" + parity);
    }
    return looks.merge(barrier, 1, Integer::sum) > 1;
  }

  byte[] stored(long place, long bytes) {
    byte[] fetched = places.get(place);
    int looked = looks.getOrDefault(barriers.getOrDefault(place, 0L), 0);
    if (fetched == null || fetched.length != bytes || looked < 2) {
      throw new Mismatch("stores what has not come: bytes=" + bytes);
    }
    return fetched;
  }
}
