package dev.oriel.bootstrap;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One collective while it gathers: the ranks that have come, their step, their contributions and
 * the common deadline.
 *
 * <p>Invariant: every rank that has come is in the same step as the first one. Confined to the
 * holder of the group's lock, or to rank 0's calling thread.
 */
final class CollectiveRound {
  private final int world;
  private final int firstRank;
  private final String label;
  private final NavigableMap<Integer, ByteBuffer> contributions = new TreeMap<>();
  private MonotonicDeadline deadline;

  CollectiveRound(int world, int firstRank, String label, MonotonicDeadline deadline) {
    this.world = world;
    this.firstRank = firstRank;
    this.label = label;
    this.deadline = deadline;
  }

  /** Adds a rank's contribution, or throws STEP_MISMATCH; the shortest deadline so far holds. */
  void offer(int rank, String itsLabel, ByteBuffer contribution, MonotonicDeadline itsDeadline) {
    if (!itsLabel.equals(label)) {
      throw BootstrapErrors.mismatch(firstRank, label, rank, itsLabel);
    }
    contributions.put(rank, contribution);
    deadline = deadline.earlier(itsDeadline);
  }

  boolean has(int rank) {
    return contributions.containsKey(rank);
  }

  boolean complete() {
    return contributions.size() == world;
  }

  MonotonicDeadline deadline() {
    return deadline;
  }

  String label() {
    return label;
  }

  List<Integer> missing() {
    return IntStream.range(0, world).filter(rank -> !has(rank)).boxed().toList();
  }

  /** Every rank's contribution, in rank order; only of a complete round. */
  List<ByteBuffer> result() {
    return List.copyOf(contributions.values());
  }
}
