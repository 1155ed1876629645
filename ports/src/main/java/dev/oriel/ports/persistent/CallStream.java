package dev.oriel.ports.persistent;

import java.util.Optional;

/** Where calls are made: they run in order, or are recorded while a graph is captured. */
public interface CallStream {

  /** Tells the streams of this rank apart. */
  long id();

  /**
   * Begins to record: calls do nothing from now on but become part of the graph.
   *
   * @throws IllegalStateException if that has begun already
   */
  void capture();

  /**
   * The graph of all that was recorded; calls run again.
   *
   * @throws IllegalStateException if nothing is being captured
   */
  CallGraph captured();

  /** The graph that is being captured, if one is. */
  Optional<CallGraph> capturing();
}
