package dev.oriel.sim.trace;

/** The role of an actor of a recording. */
public enum ActorRole {
  /** Threads of a kernel that run one lane of the program. */
  LANE,
  /** The host code of a rank, which launches and prepares buffers. */
  CALLER,
  /** A network interface's queue to one peer. */
  QUEUE,
  /** The injector of faults. */
  FAULT
}
