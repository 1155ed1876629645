package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.ports.LocalBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** One rank's way of making calls over a window; used by the window's thread. */
public interface CallMachine extends AutoCloseable {

  /**
   * Creates this rank's end of a request, which no peer knows yet.
   *
   * @throws dev.oriel.ports.MachineException if the machine cannot make such calls
   */
  End open(RequestKey key, int place);

  /** Handles a failed call: recorded work has no effect any more, whichever thread replays it. */
  void stop();

  /**
   * Waits until all earlier work has ended: a failed call may have left work in its stream, queued
   * after other work.
   *
   * @throws TimeoutException naming the stream
   */
  void settle(Duration deadline) throws TimeoutException;

  /** Restarts counting on all ranks, which are silent until this has returned on each. */
  void renew();

  /**
   * Frees the machine; closing twice does nothing.
   *
   * @throws dev.oriel.ports.MachineException if work is still in flight: nothing is freed, and it
   *     may be closed again
   */
  @Override
  void close();

  /**
   * The bytes that a call moves.
   *
   * @param bytes from each rank to each rank
   * @param there whether the rank's bytes for itself are already in place
   */
  record Transfer(LocalBuffer from, long fromOffset, long bytes, boolean there) {}

  /** One rank's end of a request. */
  interface End extends AutoCloseable {

    /** Waits for work of this request that others replayed on the stream. */
    void quiet(CallStream stream, Duration deadline) throws TimeoutException;

    /** Restarts counting from 0: no earlier signal of a peer counts. */
    void renew();

    /**
     * Allows signals to peers from now on.
     *
     * @param places each rank's place of its own end, by rank
     */
    void met(List<Integer> places);

    /**
     * Runs one call and waits for its end.
     *
     * @param epoch its number, if only the caller makes calls of the request
     * @return its number
     */
    long run(CallStream stream, Transfer transfer, long epoch, Duration deadline)
        throws TimeoutException;

    /** Adds the call to the graph that the stream captures. */
    void record(CallStream stream, Transfer transfer);

    /** Disables recorded calls of this end; closing twice does nothing. */
    @Override
    void close();
  }
}
