package dev.oriel.ports.persistent;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** Recorded calls, replayed together as often as one likes. */
public interface CallGraph extends AutoCloseable {

  /** What a replay does in place of a call. */
  @FunctionalInterface
  interface Call {
    /** Makes the call; each of its waits ends within the deadline. */
    void run(Duration deadline) throws TimeoutException;
  }

  /** Puts a call behind those that were recorded. */
  void add(Call call);

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
