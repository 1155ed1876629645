package dev.oriel.cuda.process;

import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a rank has heard of the end of one instance.
 *
 * <p>Every rank speaks once, to all: names the end that it knows, or that it is done. It decides
 * when it has heard all that live: all then know the same ends, and take the least. A rank that is
 * gone counts as lost unless it had spoken: who has spoken may leave.
 */
final class Ends {
  private final TreeSet<End> known = new TreeSet<>();
  private final Set<Integer> spoken = new HashSet<>();

  /** Whether it had not spoken before; only then does it count. */
  boolean say(int rank, End end) {
    boolean first = spoken.add(rank);
    if (first) {
      known.add(end);
    }
    return first;
  }

  /** Says that it launches no more, for which there need be no reason. */
  void close(int rank) {
    spoken.add(rank);
  }

  void lose(int rank) {
    if (!spoken.contains(rank)) {
      known.add(End.lost(rank));
    }
  }

  /** The end to go by, as far as it is known. */
  Optional<End> least() {
    return known.isEmpty() ? Optional.empty() : Optional.of(known.first());
  }

  boolean heard(Collection<Integer> living) {
    return spoken.containsAll(living);
  }
}
