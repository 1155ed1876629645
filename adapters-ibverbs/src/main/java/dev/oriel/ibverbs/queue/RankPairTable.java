package dev.oriel.ibverbs.queue;

import dev.oriel.ports.MachineException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * One object for each pair of rank and peer between which there is a queue, in order of ranks. A
 * rank may be its own peer: if interfaces change a word, its owner changes it through an interface,
 * too.
 */
final class RankPairTable<T> {

  /** Makes the object of a rank and a peer. */
  @FunctionalInterface
  interface Maker<T> {
    T make(int rank, int peer);
  }

  private record Edge(int rank, int peer) {}

  private final Map<Edge, T> made = new LinkedHashMap<>();

  /** Makes one for each of those pairs. */
  void make(int world, BiPredicate<Integer, Integer> pairs, Maker<T> maker) {
    for (int rank = 0; rank < world; rank++) {
      for (int peer = 0; peer < world; peer++) {
        if (pairs.test(rank, peer)) {
          made.put(new Edge(rank, peer), maker.make(rank, peer));
        }
      }
    }
  }

  /** The object of that rank and that peer, if it was made. */
  Optional<T> find(int rank, int peer) {
    return Optional.ofNullable(made.get(new Edge(rank, peer)));
  }

  /**
   * The object of that rank and that peer.
   *
   * @throws MachineException if the two were not connected
   */
  T get(int rank, int peer) {
    return find(rank, peer)
        .orElseThrow(() ->
            new MachineException(
                "no queue between them: rank=%d, peer=%d; connect the pair".formatted(rank, peer)));
  }

  Collection<T> all() {
    return Collections.unmodifiableCollection(made.values());
  }
}
