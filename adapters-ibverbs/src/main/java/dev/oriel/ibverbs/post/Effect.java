package dev.oriel.ibverbs.post;

/** What a request does at the peer, as far as the order of its queue is concerned. */
public enum Effect {
  /** Changes the peer's memory and brings nothing back. */
  WRITES,
  /** Brings the peer's memory here. */
  READS,
  /** Changes a word of the peer's in one step and brings the old one here. */
  CHANGES
}
