package dev.oriel.ports.queue;

/** A value of a request that is known only when it is posted. */
public enum RequestField {
  /** In an element, the number of elements posted before it; in a bell, the number posted. */
  COUNT,
  /** The address in the peer's memory. */
  REMOTE,
  /** The address in own memory. */
  LOCAL,
  /** How many bytes. */
  LENGTH,
  /** The word to write, to add, or to put in another's place. */
  VALUE,
  /** The expected old word of a compare and swap. */
  COMPARE,
  /**
   * Which element of the watched queue must be done, counted from 0; one less than 0 means none.
   */
  AWAITED
}
