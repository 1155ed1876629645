package dev.oriel.it.readback;

import java.util.HashMap;
import java.util.Map;

/**
 * The bulk-copy unit of a block. Fetched bytes are at a place of shared memory, and arrive only
 * once a poll of the place's barrier succeeds; the first poll is too early. Reuse of a place is not
 * checked.
 */
final class BulkUnit {
  /** The bytes at each place, and the barrier that signals their arrival. */
  private final Map<Long, byte[]> places = new HashMap<>();

  private final Map<Long, Long> barriers = new HashMap<>();
  private final Map<Long, Integer> phases = new HashMap<>();
  private final Map<Long, Integer> polls = new HashMap<>();

  void fetch(long place, byte[] bytes, long barrier) {
    places.put(place, bytes);
    barriers.put(place, barrier);
    phases.merge(barrier, 1, Integer::sum);
    polls.put(barrier, 0);
  }

  /** Whether the bytes of the barrier have arrived, in the phase of that parity. */
  boolean come(long barrier, long parity) {
    if (phases.getOrDefault(barrier, 0) % 2 == parity) {
      throw new Mismatch("waits for another phase of the place's barrier: parity=" + parity);
    }
    return polls.merge(barrier, 1, Integer::sum) > 1;
  }

  byte[] stored(long place, long bytes) {
    byte[] fetched = places.get(place);
    int looked = polls.getOrDefault(barriers.getOrDefault(place, 0L), 0);
    if (fetched == null || fetched.length != bytes || looked < 2) {
      throw new Mismatch("stores what has not come: bytes=" + bytes);
    }
    return fetched;
  }
}
