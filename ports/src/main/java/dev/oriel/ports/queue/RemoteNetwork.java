package dev.oriel.ports.queue;

import dev.oriel.ports.Bootstrap;

/** Network interfaces whose queues lie in memory, between ranks of which this process has one. */
public interface RemoteNetwork {

  /** The format of all its queues. */
  QueueFormat format();

  /**
   * Whether it reaches any memory, by copies. Otherwise what peers reach must be in the host's
   * memory.
   */
  boolean copies();

  /**
   * Opens this rank's memory to all others, and connects a queue to each of them. Collective.
   *
   * @param step the name of this collective step, the same on all ranks
   * @param own the memory of this rank
   * @param posters memory that the rank's posters can reach
   * @throws dev.oriel.ports.MachineException on every rank, if one of them cannot
   */
  QueueNetwork.Connection connect(
      String step, Bootstrap ranks, ReachedMemory own, InitiatorMemory posters);
}
