package dev.oriel.ports.persistent;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Recorded calls, replayed together as often as one likes. */
public interface CallGraph extends AutoCloseable {

  /**
   * A call, as its replays see it. A replay begins it, makes it, and says how that ended.
   *
   * <p>Failure: what {@link #begin} throws it has said already.
   */
  interface Call {

    /** Which request it is of: one for all its calls. */
    Object request();

    /** The request's ranks have met, and it may go on. */
    void begin(Duration deadline) throws TimeoutException;

    /** Makes it, on a machine that does not record what it does. */
    void run(Duration deadline) throws TimeoutException;

    /** It has come to its end. */
    void end();

    /** It has not: nothing of any request goes on. */
    void fail(String cause);

    /** All of this, one after the other. */
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

  /** Puts a call behind those that were recorded. */
  void add(Call call);

  /**
   * Whether what it records holds where peers keep their ends of a request, so that the ranks meet
   * when it is recorded.
   */
  default boolean fixed() {
    return false;
  }

  /** Whether others replay it and destroy it, of which each rank hears in its own time. */
  default boolean foreign() {
    return false;
  }

  /**
   * Makes all calls in the order in which they were recorded, until one fails.
   *
   * @throws IllegalStateException if the graph is destroyed
   */
  void replay(Duration deadline) throws TimeoutException;

  /**
   * Whether nobody can replay it any more. Asked again and again by who keeps something for its
   * replays: a machine that destroys graphs calls nobody back.
   */
  boolean destroyed();

  /** Destroys it; closing twice does nothing. */
  @Override
  void close();
}
