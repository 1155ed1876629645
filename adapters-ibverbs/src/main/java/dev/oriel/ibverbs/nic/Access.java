package dev.oriel.ibverbs.nic;

/** What may be done to registered memory, besides that its owner's queues read it. */
public enum Access {
  /** Reads and atomics of its owner's queues, and receives, may land in it. */
  LOCAL_WRITE,
  REMOTE_WRITE,
  REMOTE_READ,
  REMOTE_ATOMIC,
  /** Writes into it may be placed before earlier ones, where the rules of order say so. */
  RELAXED_ORDERING
}
