package dev.oriel.ports;

/**
 * Receives the events of a machine.
 *
 * <p>Scope: one listener may serve many instances and ranks. Order: calls that concern one instance
 * come one at a time, in the order of the events, from the thread that notices; calls that concern
 * different instances may be concurrent. Failure: a call must not block, call back into the
 * machine, or throw.
 *
 * <p>Times are those of the machine's {@link Clock}.
 */
public interface FabricListener {

  /** Ignores all events. */
  FabricListener NONE = new FabricListener() {};

  /**
   * A launch of a local rank is handed to the machine.
   *
   * @param program digest of the program
   */
  default void posted(int rank, String program, long nanos) {}

  /**
   * A launch of a local rank has ended. Every launch that was posted is completed exactly once, in
   * the order of posting; the outcome is the one that the caller gets.
   */
  default void completed(int rank, String program, Outcome outcome, long nanos) {}

  /** A peer will not answer any more; called at most once for each pair of ranks. */
  default void peerLost(int rank, int peer, String cause, long nanos) {}
}
