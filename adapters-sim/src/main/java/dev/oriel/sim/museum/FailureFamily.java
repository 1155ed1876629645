package dev.oriel.sim.museum;

import java.util.Locale;

/** The kind of mistake that causes a failure. */
public enum FailureFamily {
  /** Wrong offsets, parts and bounds. */
  INDEXING,
  /** A read is too early or too late; in a total order of all accesses nothing fails. */
  ORDERING,
  /** A lane continues too early or never: slots, credits, events, queues. */
  FLOW,
  /** Words are too narrow, wrap, or count wrongly. */
  COUNTERS,
  /** The first launch is right, a later one wrong. */
  REPLAY,
  /** Behaviour after an abort, a deadline or an error. */
  ABORT,
  /** Connecting, registering, agreeing and tearing down. */
  SETUP;

  /** The word that exhibits and tables use. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
