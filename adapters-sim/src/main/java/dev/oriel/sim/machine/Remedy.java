package dev.oriel.sim.machine;

/**
 * An edge that a program might lack, from cheap to dear. A machine that supplies one everywhere
 * shows whether it would have ordered what is not ordered.
 */
public enum Remedy {
  /** The program as it is. */
  NONE(""),
  /** Threads of a lane meet after every move, load and store. */
  SYNC("a sync between the lane's own operations"),
  /** Every await acquires. */
  ACQUIRE("acquire in place of relaxed at the await in between"),
  /** Every signal releases. */
  RELEASE("release in place of relaxed at the signal in between"),
  /** Every access reaches every agent. */
  SCOPE("sys scope at the signal and the await in between"),
  /** A lane ends when its requests have completed. */
  COMPLETION("a flush of the peer, local, before the lane ends or uses the source again"),
  /** What interfaces placed is visible to everybody. */
  CONSISTENCY("a consistency step, which an acquiring await makes, before the other reads"),
  /** What has completed is placed. */
  PLACEMENT("a flush of the peer, remote, or a quiet, before others are told"),
  /** All queues of a lane to a peer are one, in order. */
  ONE_QUEUE("the signal behind the data on the same queue, or a fence between them");

  private final String advice;

  Remedy(String advice) {
    this.advice = advice;
  }

  /** What to add to the program, in words. */
  public String advice() {
    return advice;
  }
}
