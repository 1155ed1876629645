package dev.oriel.ibverbs.post;

/** A request's effect at the peer, as far as the order of its queue is concerned. */
public enum RequestEffect {
  /** Changes the peer's memory and returns nothing. */
  WRITES,
  /** Returns the peer's memory. */
  READS,
  /** Changes a word of the peer's atomically and returns the old value. */
  CHANGES
}
