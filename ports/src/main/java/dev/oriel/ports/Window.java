package dev.oriel.ports;

import dev.oriel.domain.window.Comparison;
import dev.oriel.domain.window.Team;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/**
 * Symmetric memory of a world with its slots, seen from one rank. Used by one thread at a time.
 *
 * <p><b>Scope.</b> A call acts for the calling rank alone unless it says that it is collective.
 * Each owner has one row of signal slots for each source; only that source writes it, so no rank
 * can stand in for another. A rank has no row at itself.
 *
 * <p><b>Bounds.</b> Offsets and lengths are checked against the size of the rank whose bytes they
 * are, which may differ per rank, before anything moves; {@link IndexOutOfBoundsException} names
 * owner and size. Ranks and ids are checked likewise.
 *
 * <p><b>Failure.</b> A blocking call takes a positive deadline and throws {@link TimeoutException}
 * when it passes, naming what is missing; the window stays usable and the call may be repeated. A
 * thread that is interrupted gets a {@link MachineException} and keeps its interrupt status. A
 * closed window refuses every call but {@link #close} with a {@link MachineException}; a peer that
 * closed it has moved on, so what is sent there is a {@code MachineException} or lost.
 */
public interface Window extends AutoCloseable {

  /** Bytes of that rank's part. */
  long bytes(int rank);

  /** Writes into the own part. Order: before every later put, signal and barrier of this rank. */
  void write(long offset, byte[] bytes);

  /**
   * Reads from the own part: sees what peers put before a signal or barrier that this rank has
   * awaited, and own gets that were flushed.
   *
   * @return a fresh array
   */
  byte[] read(long offset, int length);

  /**
   * Copies {@code length} bytes of the own part into that of {@code peer}, which may be this rank.
   *
   * <p>Order: none against other puts and gets. The bytes are visible to the peer once it has
   * awaited a later {@link #signal} or {@link #barrier} of this rank. The source may be overwritten
   * after {@link #flush}.
   */
  void put(int peer, long peerOffset, long offset, long length);

  /**
   * Copies {@code length} bytes of the part of {@code peer}, which may be this rank, into the own.
   *
   * <p>Order: none against other puts and gets. The bytes are there after {@link #flush}, which
   * must come before a {@link #signal} that lets the peer overwrite them.
   */
  void get(int peer, long peerOffset, long offset, long length);

  /**
   * Adds {@code value} to slot {@code id} of the own row at {@code peer}, once; the sum wraps at 64
   * bits.
   *
   * <p>Order: after every earlier put, write and read of this rank and after its earlier signals to
   * that peer. It does not wait for the peer.
   *
   * @throws IllegalArgumentException if the peer is this rank
   */
  void signal(int peer, int id, long value);

  /**
   * The value now of slot {@code id} in the row that {@code source} writes here; orders nothing.
   *
   * @throws IllegalArgumentException if the source is this rank
   */
  long signalValue(int source, int id);

  /**
   * Waits until slot {@code id} in the row of {@code source} compares true; what the signals that
   * made it so released is then visible. No value is consumed.
   *
   * @throws TimeoutException naming source, slot, the value seen and the value expected
   * @throws IllegalArgumentException if the source is this rank
   */
  void await(int source, int id, Comparison comparison, long value, Duration deadline)
      throws TimeoutException;

  /**
   * Waits until the sources of earlier puts to {@code peer} may be overwritten and the bytes of
   * earlier gets from it are there. Says nothing of when the peer sees the puts.
   *
   * @throws TimeoutException naming the peer
   */
  void flush(int peer, Duration deadline) throws TimeoutException;

  /** {@link #barrier(int, Team, Duration)} of all ranks. */
  void barrier(int id, Duration deadline) throws TimeoutException;

  /**
   * Waits until every member of the team has come to this round of barrier {@code id}, and orders
   * every put, write, read and flushed get of a member before it against every access of a member
   * after it.
   *
   * <p>Scope: collective over the team, of which this rank is a member; one arrival is written to
   * each other member. Ids are independent of each other and of signals, and can be used for ever;
   * an id belongs to one team for as long as the window lives. After a timeout the round stays
   * open: the next call with this id goes on waiting for it, and does not arrive twice.
   *
   * @throws TimeoutException naming the members that have not come
   * @throws IllegalArgumentException if the id was used with another team, or this rank is not in
   *     the team
   */
  void barrier(int id, Team team, Duration deadline) throws TimeoutException;

  /**
   * Leaves the window and frees the own part; closing twice does nothing.
   *
   * <p>Scope: collective. Order: no part is freed before every rank has entered, so nothing that is
   * on its way is lost. Failure: {@link BootstrapException} naming the ranks that did not come; the
   * own part is freed all the same.
   */
  @Override
  void close();
}
