package dev.oriel.cuda;

import dev.oriel.ports.queue.InitiatorMemory;
import dev.oriel.ports.queue.QueueFormat;
import dev.oriel.ports.queue.QueueNetwork;
import dev.oriel.ports.queue.ReachedMemory;
import java.util.SortedMap;
import java.util.function.BiPredicate;

/** The network to peers that are not on NVLink, as one process connects its ranks to it. */
interface OutsideNetwork {

  /** The format of all its queues. */
  QueueFormat format();

  /**
   * Connects the ranks of this process with all their peers; collective over the processes.
   *
   * @param step the name of this step, the same in all processes
   * @param local the memory of each rank of this process
   * @param pairs whether that rank posts to that peer
   * @param posters memory that GPUs of this process can reach
   */
  QueueNetwork.Connection connect(
      String step,
      SortedMap<Integer, ReachedMemory> local,
      BiPredicate<Integer, Integer> pairs,
      InitiatorMemory posters);
}
