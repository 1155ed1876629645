package dev.oriel.sim.machine.terms;

/**
 * What the machine models and may be told to leave out, so that one sees which failures it takes.
 * Without a feature there is more order, and never less.
 */
public enum Feature {
  /** Stores of a GPU may be seen in any order: without it every store is behind all before it. */
  WEAK_STORES,
  /** Who finds a value need not find what was written before: without it whoever looks acquires. */
  STALE_LOADS,
  /** Threads of a lane go their own ways: without it they meet after every operation. */
  THREADS,
  /** Blocks of a rank go their own ways: without it one thread runs them all. */
  BLOCKS,
  /** Queues have no common order: without it all of a lane to a peer are one, in order. */
  QUEUES,
  /** Sent, arrived and visible differ: without it a request has happened when its lane goes on. */
  STAGES,
  /** Interfaces and GPUs change words each for itself: without it all changes are atomic. */
  ATOMICITY,
  /** Host threads and streams go their own ways: without it one thread runs them all. */
  HOST_LANES
}
