package dev.oriel.ports.persistent;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Recorded calls, replayed together any number of times. */
public interface CallGraph extends AutoCloseable {

  /**
   * A call as its replays see it. A replay begins it, runs it, and reports its end.
   *
   * <p>Failure: {@link #begin} reports its own failure before it throws.
   */
  interface Call {

    /** The request of the call: the same object for all its calls. */
    Object request();

    /** Makes sure that the request's ranks have met, so that the call may proceed. */
    void begin(Duration deadline) throws TimeoutException;

    /** Runs the call, on a machine that does not record its work. */
    void run(Duration deadline) throws TimeoutException;

    /** Reports that the call has completed. */
    void end();

    /** Reports that it has failed: no request continues. */
    void fail(String cause);

    /** Performs all of these in turn. */
    default void make(Duration deadline) throws TimeoutException {
      begin(deadline);
      try {
        run(deadline);
      } catch (TimeoutException | RuntimeException e) {
        fail(String.valueOf(e.getMessage()));
        throw e;
      }
      end();
    }
  }

  /** Appends a call to those that were recorded. */
  void add(Call call);

  /**
   * Whether the recording contains the places of the peers' ends of a request; the ranks must then
   * meet when it is recorded.
   */
  default boolean fixed() {
    return false;
  }

  /** Whether others replay and destroy the graph, which each rank notices at its own time. */
  default boolean foreign() {
    return false;
  }

  /**
   * Runs all calls in the order in which they were recorded, until one fails.
   *
   * @throws IllegalStateException if the graph is destroyed
   */
  void replay(Duration deadline) throws TimeoutException;

  /**
   * Whether it can never be replayed again. Holders of resources for its replays poll this, since a
   * machine that destroys graphs makes no callback.
   */
  boolean destroyed();

  /** Destroys it; closing twice does nothing. */
  @Override
  void close();
}
