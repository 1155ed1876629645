package dev.oriel.ports;

/**
 * Told of what happens on a machine.
 *
 * <p>Scope: one listener may serve many instances and ranks. Order: calls that concern one instance
 * come one at a time, in the order of the events, from whichever thread notices; calls that concern
 * different instances may come at once. Failure: a call must not block, call back into the machine,
 * or throw.
 *
 * <p>Times are those of the machine's {@link Clock}.
 */
public interface FabricListener {

  /** Takes no notice. */
  FabricListener NONE = new FabricListener() {};

  /**
   * A launch of a local rank is handed to the machine.
   *
   * @param program digest of the program
   */
  default void posted(int rank, String program, long nanos) {}

  /**
   * A launch of a local rank has ended. Every launch that was posted is completed exactly once, in
   * the order of posting; the outcome is the one that the caller is given.
   */
  default void completed(int rank, String program, Outcome outcome, long nanos) {}

  /** A peer will not answer any more; told at most once for each pair of ranks. */
  default void peerLost(int rank, int peer, String cause, long nanos) {}
}
