package dev.oriel.ports.queue;

/** The operation that an element asks of an interface; every poster fills the named fields. */
public enum RequestKind {
  /** Own memory into the peer's: remote, local, length. */
  WRITE,
  /** A word that the element carries into the peer's memory: remote, value. */
  WRITE_WORD,
  /** The peer's memory into own: remote, local, length. */
  READ,
  /** Adds to the peer's word, and stores the old word locally: remote, local, value. */
  ADD,
  /** Replaces the peer's word if it equals the compared one: remote, local, value, compare. */
  COMPARE_SWAP,
  /**
   * Blocks its queue until an element of the watched queue is done: awaited. Only companions have
   * it.
   */
  WAIT
}
