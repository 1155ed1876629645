package dev.oriel.ports.persistent;

import dev.oriel.domain.persistent.RequestKey;
import dev.oriel.ports.LocalBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** How one rank's machine makes calls over a window; used by the window's thread. */
public interface CallMachine extends AutoCloseable {

  /**
   * This rank's end of a request, of which no peer knows yet.
   *
   * @throws dev.oriel.ports.MachineException if the machine cannot make such calls
   */
  End open(RequestKey key, int place);

  /** A call has failed: what was recorded does nothing any more, whoever replays it. */
  void stop();

  /**
   * Waits until nothing is under way any more that began before: a call that failed may have left
   * something behind other work in its stream.
   *
   * @throws TimeoutException naming the stream
   */
  void settle(Duration deadline) throws TimeoutException;

  /** All ranks begin anew, and are silent until this has returned on each. */
  void renew();

  /**
   * Destroys what is left of it; closing twice does nothing.
   *
   * @throws dev.oriel.ports.MachineException if something is still under way: nothing is freed, and
   *     it may be closed again
   */
  @Override
  void close();

  /**
   * What a call moves.
   *
   * @param bytes from each rank to each
   * @param there whether what the rank has for itself stands at its place already
   */
  record Transfer(LocalBuffer from, long fromOffset, long bytes, boolean there) {}

  /** One rank's end of a request. */
  interface End extends AutoCloseable {

    /** Waits for what others replayed of it on the stream. */
    void quiet(CallStream stream, Duration deadline) throws TimeoutException;

    /** Counts from 0 again: peers have told it nothing yet that counts. */
    void renew();

    /**
     * Peers may be told from now on.
     *
     * @param places where each rank keeps its own end, by rank
     */
    void met(List<Integer> places);

    /**
     * Makes one call and waits for its end.
     *
     * @param epoch its number, where nobody but the caller makes calls of it
     * @return its number
     */
    long run(CallStream stream, Transfer transfer, long epoch, Duration deadline)
        throws TimeoutException;

    /** Makes it part of what the stream captures. */
    void record(CallStream stream, Transfer transfer);

    /** What was recorded of it does nothing any more; closing twice does nothing. */
    @Override
    void close();
  }
}
