package dev.oriel.ports.queue;

/** What is known of a request only when it is posted. */
public enum Field {
  /** In an element how many were posted before it; in a bell how many were posted. */
  COUNT,
  /** The address in the peer's memory. */
  REMOTE,
  /** The address in own memory. */
  LOCAL,
  /** How many bytes. */
  LENGTH,
  /** The word that is written or added, or takes another's place. */
  VALUE,
  /** The word that must be there to be replaced. */
  COMPARE,
  /**
   * Which element of the queue that is watched must be done, counted from 0; one less than 0 is
   * none.
   */
  AWAITED
}
