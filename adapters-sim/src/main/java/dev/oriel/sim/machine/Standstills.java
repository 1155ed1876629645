package dev.oriel.sim.machine;

import dev.oriel.sim.machine.fingerprint.Fingerprint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How often guided lanes came to a standstill, in which nothing goes on until a deadline passes: by
 * what memory holds then, and which calls wait with which answers before. Code that tries again
 * whenever a wait times out comes back to the same one.
 *
 * <p>Calls that only look are left out, since a lane that looks at several slots in turn may be at
 * any of them.
 */
final class Standstills {
  private record Situation(long high, long low) {}

  private final Map<Situation, Long> times = new HashMap<>();
  private final Set<Situation> looked = new HashSet<>();
  private final Fingerprint print = new Fingerprint();
  private Situation now = new Situation(0, 0);

  /** An execution begins. */
  void clear() {
    times.clear();
    looked.clear();
  }

  /** Nothing goes on: how often that was so in this situation when a deadline passed. */
  long before(Guide guide, Machine machine, State state) {
    print.clear();
    machine.memory(state, print);
    for (int lane = 0; lane < machine.model.lanes; lane++) {
      if (guide.deadline(lane) != Guide.NEVER) {
        print.add(lane);
        guide.describe(lane, print);
      }
    }
    now = new Situation(print.high(), print.low());
    return times.getOrDefault(now, 0L);
  }

  /** Lanes look in the situation that was last asked about; whether they did so before. */
  boolean looked() {
    return !looked.add(now);
  }

  /** A deadline passes in the situation that was last asked about. */
  void over() {
    times.merge(now, 1L, Long::sum);
  }
}
