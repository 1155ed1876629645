package dev.oriel.ports.queue;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Interfaces whose queues lie in memory, between ranks that all live in this process. */
public interface QueueNetwork {

  /** How all its queues are posted to. */
  QueueFormat format();

  /**
   * Opens the ranks' memory to each other and connects a queue in each direction of every pair.
   *
   * @param ranks the memory of each
   * @param pairs whether that rank posts to that peer, which may be itself; the same in both
   *     directions
   * @param posters memory as posters reach it
   * @throws dev.oriel.ports.MachineException if it cannot; nothing stays open
   */
  Connection connect(
      List<ReachedMemory> ranks, BiPredicate<Integer, Integer> pairs, PosterMemory posters);

  /** Connected queues. One thread at a time makes them progress. */
  interface Connection extends AutoCloseable {

    /** The queue that {@code rank} posts to and {@code peer} is reached by. */
    WorkQueue queue(int rank, int peer);

    /**
     * The companion of that queue, from {@code rank} to itself: its {@link RequestKind#WAIT}
     * watches {@code queue(rank, peer)}, so what it adds to a word of the rank's behind one tells
     * that sources may be reused. Of its other elements there is {@link RequestKind#ADD}.
     */
    WorkQueue companion(int rank, int peer);

    /**
     * Does some of what was posted, where an interface does nothing by itself; a caller that waits
     * for a poster calls it over and over. Never waits.
     *
     * @return whether there was anything to do
     */
    boolean progress();

    /** The first request that was refused or lost, and why. */
    Optional<String> failure();

    /** Frees it; nobody posts any more. */
    @Override
    void close();
  }
}
