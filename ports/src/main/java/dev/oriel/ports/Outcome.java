package dev.oriel.ports;

/**
 * How one rank's launch ended; the same for all lanes of the rank, but ranks may end differently.
 *
 * <p>After {@link Done} and {@link Failed} the rank may launch again. After {@link Aborted} and
 * {@link TimedOut} its lanes stopped at arbitrary places, so the instance is poisoned. Every later
 * launch is {@link Aborted} at once. To launch again, all ranks close the instance and prepare the
 * program anew.
 */
public sealed interface Outcome {

  /** Every lane ran to its end. */
  record Done() implements Outcome {}

  /**
   * A check failed on this rank: no failed lane wrote data after its check, every promised signal
   * was sent, and all lanes ran to their end.
   *
   * @param code of the check; where several lanes failed, of one of them
   */
  record Failed(int code) implements Outcome {}

  /**
   * A rank or the caller aborted the launch, or the instance was poisoned before.
   *
   * @param cause the first reason given, or the reason why the instance is poisoned
   */
  record Aborted(String cause) implements Outcome {}

  /**
   * The deadline passed, or it was certain that it would.
   *
   * @param waiting the unfinished waits of this rank: lane, operation and the value seen, as far as
   *     the machine knows them
   */
  record TimedOut(String waiting) implements Outcome {}
}
