package dev.oriel.ibverbs.fabric;

import dev.oriel.ibverbs.post.WorkRequest;

/** Takes the requests of one queue, in order. */
@FunctionalInterface
public interface WorkRequestSink {

  /**
   * Posts a request.
   *
   * @throws dev.oriel.ports.MachineException if it is refused
   */
  void post(WorkRequest work);
}
