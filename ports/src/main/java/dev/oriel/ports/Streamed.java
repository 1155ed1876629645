package dev.oriel.ports;

import java.time.Duration;

/**
 * An instance on a machine with streams: its launches go into streams and graphs of the caller's
 * too, among the caller's own work.
 *
 * <p>Every rank launches equally often, whichever way: {@link #launch}, recorded, or replayed. The
 * caller orders what one rank launches in several streams, and waits for them before it launches,
 * writes or reads by other means.
 */
public interface Streamed extends Executor.Instance {

  /**
   * Puts one launch of a local rank into a stream of the caller's, and returns at once. Where the
   * caller captures that stream, the launch becomes part of the caller's graph, and is made with
   * each replay: which launch of the rank it is, the machine counts by itself.
   *
   * <p>Scope: that rank alone. Order: behind all that is in the stream, before all that comes.
   * Failure: a wait of it ends by itself after a time that the machine sets.
   *
   * @param stream by the handle that the machine's driver has for it
   * @throws MachineException if the driver refuses, or the instance has ended
   * @throws IndexOutOfBoundsException if the rank is not local
   */
  void record(int rank, long stream);

  /**
   * Waits until nothing is left in a stream that launches of a local rank went into, recorded or
   * replayed, and says what they came to since it was asked before. Meanwhile it listens for the
   * end of other ranks and serves the network, which nobody else does.
   *
   * <p>Scope: that rank alone. Failure: as of {@link #launch}.
   */
  Outcome settle(int rank, long stream, Duration deadline);

  /**
   * Frees what the instance holds; closing twice does nothing.
   *
   * @throws MachineException if a stream was not settled behind a launch that was not captured, or
   *     a graph of the caller's still holds one that was; nothing is freed then, and it may be
   *     closed again
   */
  @Override
  void close();
}
