package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.WorkRequest;

/** Takes the requests of one queue, in order. */
@FunctionalInterface
public interface Poster {

  /**
   * Hands a request on.
   *
   * @throws dev.oriel.ports.MachineException if it is not taken
   */
  void post(WorkRequest work);
}
