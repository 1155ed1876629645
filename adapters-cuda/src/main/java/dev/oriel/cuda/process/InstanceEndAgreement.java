package dev.oriel.cuda.process;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The reasons for the end of one instance that a rank has heard.
 *
 * <p>Every rank speaks once, to all others: it names the end that it knows, or says that it is
 * done. A rank decides once it has heard every live rank. All then know the same ends, and choose
 * the least. A rank whose process is gone counts as lost unless it had spoken: a rank that has
 * spoken may leave.
 */
final class InstanceEndAgreement {
  private final TreeSet<InstanceEnd> known = new TreeSet<>();
  private final Set<Integer> spoken = new HashSet<>();

  /**
   * Notes a rank's end; returns whether the rank had not spoken before. Only its first message
   * counts.
   */
  boolean say(int rank, InstanceEnd end) {
    boolean first = spoken.add(rank);
    if (first) {
      known.add(end);
    }
    return first;
  }

  /** Notes that a rank launches no more, without a reason. */
  void close(int rank) {
    spoken.add(rank);
  }

  void lose(int rank) {
    if (!spoken.contains(rank)) {
      known.add(InstanceEnd.lost(rank));
    }
  }

  /** The least of the known ends; empty if none is known. */
  Optional<InstanceEnd> least() {
    return known.isEmpty() ? Optional.empty() : Optional.of(known.first());
  }

  boolean heard(Collection<Integer> living) {
    return spoken.containsAll(living);
  }
}
