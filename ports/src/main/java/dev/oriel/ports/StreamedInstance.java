package dev.oriel.ports;

import java.time.Duration;

/**
 * An instance on a machine with streams: its launches also go into streams and graphs of the
 * caller, among the caller's own work.
 *
 * <p>Every rank launches equally often, by any means: {@link #launch}, recorded, or replayed. The
 * caller orders one rank's launches in several streams, and waits for them before it launches,
 * writes or reads by other means.
 */
public interface StreamedInstance extends Executor.Instance {

  /**
   * Enqueues one launch of a local rank on a stream of the caller and returns at once. If the
   * caller captures that stream, the launch becomes part of the caller's graph and runs with each
   * replay; the machine itself counts the rank's launches.
   *
   * <p>Scope: that rank alone. Order: after all earlier work in the stream, before all later work.
   * Failure: a wait of the launch ends after a time that the machine sets.
   *
   * @param stream the driver's handle of the stream
   * @throws MachineException if the driver refuses, or the instance has ended
   * @throws IndexOutOfBoundsException if the rank is not local
   */
  void record(int rank, long stream);

  /**
   * Waits until a stream with launches of a local rank, recorded or replayed, is empty, and returns
   * their outcome since the last call. Meanwhile it listens for aborts of other ranks and serves
   * the network, which nothing else does.
   *
   * <p>Scope: that rank alone. Failure: as of {@link #launch}.
   */
  Outcome settle(int rank, long stream, Duration deadline);

  /**
   * Frees what the instance holds; closing twice does nothing.
   *
   * @throws MachineException if a stream was not settled after a launch that was not captured, or a
   *     graph of the caller still holds a captured launch; nothing is freed then, and it may be
   *     closed again
   */
  @Override
  void close();
}
