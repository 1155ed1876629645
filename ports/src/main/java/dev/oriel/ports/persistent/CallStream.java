package dev.oriel.ports.persistent;

import java.util.Optional;

/** A place to make calls: they run in order, or are recorded while a graph is captured. */
public interface CallStream {

  /** Identifies the stream among those of this rank. */
  long id();

  /**
   * Begins to record: from now on calls only become part of the graph.
   *
   * @throws IllegalStateException if it records already
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
