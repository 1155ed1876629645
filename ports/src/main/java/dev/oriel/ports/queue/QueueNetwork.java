package dev.oriel.ports.queue;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Network interfaces whose queues lie in memory, between ranks that all live in this process. */
public interface QueueNetwork {

  /** The format of all its queues. */
  QueueFormat format();

  /**
   * Opens the ranks' memory to each other and connects a queue in each direction of every pair.
   *
   * @param ranks the memory of each
   * @param pairs whether that rank posts to that peer, which may be itself; the same in both
   *     directions
   * @param posters memory that posters can reach
   * @throws dev.oriel.ports.MachineException if that fails; nothing stays open
   */
  Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, InitiatorMemory posters);

  /** Connected queues. One thread at a time drives their progress. */
  interface Connection extends AutoCloseable {

    /** The queue that {@code rank} posts to and that reaches {@code peer}. */
    WorkQueue queue(int rank, int peer);

    /**
     * The companion of that queue, from {@code rank} to itself. Its {@link RequestKind#WAIT}
     * watches {@code queue(rank, peer)}; an {@link RequestKind#ADD} after it to a word of the rank
     * shows that sources may be reused. It has no other kinds of elements.
     */
    WorkQueue companion(int rank, int peer);

    /**
     * Executes some posted elements, if the interface needs the CPU for that; a caller that waits
     * for a poster calls it repeatedly. Never waits.
     *
     * @return whether there was anything to do
     */
    boolean progress();

    /**
     * Whether no rank of another process needs this one's {@link #progress} any more for the
     * requests of that round. Rounds are counted from 1, and all ranks have as many. Called once no
     * poster of this process posts any more, and again until it is true. A connection inside one
     * process always is.
     */
    default boolean settled(long round) {
      return true;
    }

    /** The first request that was refused or lost, and why. */
    Optional<String> failure();

    /** Frees it; nothing may be posted any more. */
    @Override
    void close();
  }
}
