package dev.oriel.sim.machine.settings;

/**
 * Behaviour that the machine models and may leave out, to show which failures depend on it. Without
 * a feature there is more order, and never less.
 */
public enum MachineFeature {
  /**
   * Agents may see stores of a GPU in any order. Without it every store follows all earlier ones.
   */
  WEAK_STORES,
  /** A reader of a value may miss earlier writes. Without it every read acquires. */
  STALE_LOADS,
  /** Threads of a lane run concurrently. Without it every operation ends with a barrier. */
  THREADS,
  /** Blocks of a rank run concurrently. Without it one thread runs them all. */
  BLOCKS,
  /** Queues have no common order. Without it all queues of a lane to a peer are one, in order. */
  QUEUES,
  /** Sent, arrived and visible differ. Without it a request completes before its lane continues. */
  STAGES,
  /** Interfaces and GPUs are not atomic with each other. Without it all atomics are. */
  ATOMICITY,
  /** Host threads and streams run concurrently. Without it one thread runs them all. */
  HOST_LANES
}
