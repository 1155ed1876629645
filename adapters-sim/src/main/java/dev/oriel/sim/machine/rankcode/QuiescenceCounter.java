package dev.oriel.sim.machine.rankcode;

import dev.oriel.sim.machine.agent.SimulatedMachine;
import dev.oriel.sim.machine.driver.LaneDriver;
import dev.oriel.sim.machine.fingerprint.Fingerprint;
import dev.oriel.sim.machine.state.MachineState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How often guided lanes came to a standstill, in which no agent is enabled until a deadline
 * passes. A standstill is identified by the contents of memory, and by the waiting calls with their
 * answers. Code that retries whenever a wait times out returns to the same one.
 *
 * <p>Calls that only poll are left out, since a lane that polls several slots in turn may be at any
 * of them.
 */
final class QuiescenceCounter {
  private record Situation(long high, long low) {}

  private final Map<Situation, Long> times = new HashMap<>();
  private final Set<Situation> looked = new HashSet<>();
  private final Fingerprint print = new Fingerprint();
  private Situation now = new Situation(0, 0);

  /** Forgets all standstills: an execution begins. */
  void clear() {
    times.clear();
    looked.clear();
  }

  /** How often a deadline passed in this standstill before; no agent is enabled. */
  long before(LaneDriver guide, SimulatedMachine machine, MachineState state) {
    print.clear();
    machine.memory(state, print);
    for (int lane = 0; lane < machine.model.lanes; lane++) {
      if (guide.deadline(lane) != LaneDriver.NEVER) {
        print.add(lane);
        guide.describe(lane, print);
      }
    }
    now = new Situation(print.high(), print.low());
    return times.getOrDefault(now, 0L);
  }

  /**
   * Notes that lanes poll in the standstill of the last query; returns whether they did so before.
   */
  boolean looked() {
    return !looked.add(now);
  }

  /** Notes that a deadline passes in the standstill of the last query. */
  void over() {
    times.merge(now, 1L, Long::sum);
  }
}
