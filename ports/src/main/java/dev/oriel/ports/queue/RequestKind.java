package dev.oriel.ports.queue;

/** What an element asks of an interface; every poster fills the fields that are named. */
public enum RequestKind {
  /** Own memory into the peer's: remote, local, length. */
  WRITE,
  /** A word that the element carries into the peer's memory: remote, value. */
  WRITE_WORD,
  /** The peer's memory into own: remote, local, length. */
  READ,
  /** Adds to the peer's word, and stores the old one: remote, local, value. */
  ADD,
  /** Replaces the peer's word if it is the one compared: remote, local, value, compare. */
  COMPARE_SWAP,
  /**
   * Holds up its queue until an element of the queue that it watches is done: awaited. Companions
   * alone have it.
   */
  WAIT
}
