package dev.oriel.ibverbs.nic;

/** The permissions of registered memory, beyond reads by its owner's queues. */
public enum RegionPermission {
  /** Reads, atomics and receives of its owner's queues may write into it. */
  LOCAL_WRITE,
  REMOTE_WRITE,
  REMOTE_READ,
  REMOTE_ATOMIC,
  /** Writes into it may be placed before earlier ones, if the ordering rules allow it. */
  RELAXED_ORDERING
}
