package dev.oriel.ports;

import java.time.Duration;
import java.util.List;

/**
 * One rank's end of a group that exchanges small messages, meets and agrees while a job is set up
 * or taken down.
 *
 * <p><b>Scope.</b> Every call is collective: all ranks of the group make the same calls, with the
 * same step names, in the same order. One thread at a time uses one rank's end; {@link #close} may
 * come from any thread and ends a call that is blocked. Calls block the calling thread, which may
 * be a virtual one; no thread is created.
 *
 * <p><b>Order.</b> A call returns on one rank only after every rank has entered it: everything that
 * a rank did before the call happens before everything that any rank does after it.
 *
 * <p><b>Deadline.</b> Each call has one, the group's or its own; the shortest deadline among the
 * ranks in a call holds for all of them. The failure of a rank that waited names the missing ranks.
 *
 * <p><b>Failure.</b> Every failure is a {@link BootstrapException}. Ranks may be lost, late or in
 * different steps. Then all ranks that are in the call or enter it later get the same kind and the
 * same ranks. The group has ended: later calls repeat the failure, and only {@link #close} works.
 * After {@link BootstrapException.Kind#TOO_LARGE} and {@link
 * BootstrapException.Kind#AGREEMENT_FAILED} all ranks are still in step and the group continues. A
 * rank that is cut off while an outcome is being sent fails alone; the next call then fails on all.
 * A step name or deadline that is malformed is an {@link IllegalArgumentException} only on the
 * calling rank, before anything is sent.
 */
public interface Bootstrap extends AutoCloseable {
  /** This rank, from 0 to {@link #world} − 1. */
  int rank();

  /** How many ranks the group has. */
  int world();

  /** The deadline of calls that name none. */
  Duration deadline();

  /** {@link #allGather(String, byte[], Duration)} with the group's deadline. */
  default List<byte[]> allGather(String step, byte[] mine) {
    return allGather(step, mine, deadline());
  }

  /**
   * Collective: gives every rank what every rank contributed.
   *
   * @param step the name that all ranks give this call, 1 to 200 bytes of UTF-8
   * @param mine this rank's bytes; lengths may differ per rank and may be 0
   * @return one array per rank, in rank order, fresh for this caller
   * @throws BootstrapException with {@code TOO_LARGE} on every rank when one rank's bytes exceed
   *     the group's limit
   */
  List<byte[]> allGather(String step, byte[] mine, Duration deadline);

  /** {@link #barrier(String, Duration)} with the group's deadline. */
  default void barrier(String step) {
    barrier(step, deadline());
  }

  /** Collective: returns once every rank has entered it. */
  void barrier(String step, Duration deadline);

  /** {@link #agree(String, SetupStatus, Duration)} with the group's deadline. */
  default void agree(String step, SetupStatus mine) {
    agree(step, mine, deadline());
  }

  /**
   * Collective: makes a set-up that may fail on one rank end the same way on all.
   *
   * <p>Returns on every rank if every rank passed {@link SetupStatus#ok}. Otherwise throws {@code
   * AGREEMENT_FAILED} on every rank, with the same message. It names the lowest failing rank and
   * gives each failing rank's own text in {@link BootstrapException#details}. A rank that failed
   * finds its own exception as the cause. The group stays usable: ranks may clean up and retry.
   */
  void agree(String step, SetupStatus mine, Duration deadline);

  /**
   * Leaves the group and frees what it holds; a second call does nothing. Not collective: the other
   * ranks' next call fails with {@code PEER_LOST} naming this rank.
   */
  @Override
  void close();
}
