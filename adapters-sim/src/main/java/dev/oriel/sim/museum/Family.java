package dev.oriel.sim.museum;

import java.util.Locale;

/** What kind of mistake a failure comes from. */
public enum Family {
  /** Wrong offsets, parts and bounds. */
  INDEXING,
  /** Something is seen too early or too late; where everything happens in order, nothing fails. */
  ORDERING,
  /** Somebody goes on too early or never: slots, credits, events, queues. */
  FLOW,
  /** Words are too narrow, wrap, or count wrongly. */
  COUNTERS,
  /** Right once, wrong when it is launched again. */
  REPLAY,
  /** What happens after an abort, a deadline or an error. */
  ABORT,
  /** Connecting, registering, agreeing and tearing down. */
  SETUP;

  /** The word that exhibits and tables use. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
