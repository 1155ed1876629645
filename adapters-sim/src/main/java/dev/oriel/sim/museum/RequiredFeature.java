package dev.oriel.sim.museum;

import dev.oriel.sim.machine.finding.Finding.Kind;
import dev.oriel.sim.machine.settings.MachineFeature;
import dev.oriel.sim.machine.settings.Profile;
import dev.oriel.sim.replay.FaultPlan;
import dev.oriel.sim.replay.TimeoutPolicy;

/**
 * The features that a simulator may need to show a failure, and the switch that removes each from
 * this one. A feature that programs model themselves has no switch; there an exhibit names the
 * words to change.
 */
public enum RequiredFeature {
  /** Weak stores of a GPU. */
  M1,
  /** Loads that may be stale. */
  M2,
  /** Threads inside a group. */
  M3,
  /** Blocks that may be late. */
  M4,
  /** Queues without common order. */
  M5,
  /** Sent, arrived and visible are different. */
  M6,
  /** Completions out of order. */
  M7,
  /** Finite queues and credits. */
  M8,
  /** GPU and interface atomics differ. */
  M9,
  /** Finite integers. */
  M10,
  /** Several launches. */
  M11,
  /** Streams and host threads. */
  M12,
  /** Set-up that fails somewhere. */
  M13,
  /** Rendezvous in pairs. */
  M14,
  /** Bounds, lifetimes and keys of memory. */
  M15,
  /** Views that differ by rank. */
  M16,
  /** Aborts and deadlines. */
  M17,
  /** Happens-before for every byte. */
  M18,
  /** Odd worlds and sizes. */
  M19,
  /** The graph of waiting lanes. */
  M20,
  /** Counting rounds and requests. */
  M21;

  /** The same conditions without this feature; equal to {@code c} if it does not affect them. */
  RunConditions without(RunConditions c) {
    return switch (this) {
      case M1 -> c.without(MachineFeature.WEAK_STORES);
      case M2 -> c.without(MachineFeature.STALE_LOADS);
      case M3 -> c.without(MachineFeature.THREADS);
      case M4 -> c.without(MachineFeature.BLOCKS);
      case M5 -> c.without(MachineFeature.QUEUES);
      case M6 -> c.without(MachineFeature.STAGES);
      case M8 -> c.with(Profile.unlimited(c.profile()));
      case M9 -> c.without(MachineFeature.ATOMICITY);
      case M11 -> c.launched(1);
      case M12 -> c.without(MachineFeature.HOST_LANES);
      case M13 -> c.with(FaultPlan.NONE);
      case M15 -> c.without(Kind.BOUNDS);
      case M17 -> c.with(TimeoutPolicy.NEVER);
      case M18 ->
          c.without(Kind.RACE)
              .without(Kind.WRITERS)
              .without(Kind.OVERWRITE)
              .without(Kind.ATOMICITY)
              .without(Kind.SCOPE);
      case M19 -> c.ofTwoRanks();
      case M20 -> c.without(Kind.DEADLOCK);
      case M7, M10, M14, M16, M21 -> c;
    };
  }
}
