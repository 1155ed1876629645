package dev.oriel.domain.connection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The order in which each rank connects to the peers that it asked for. A connection is a meeting
 * of both ends, and a rank takes part in one meeting at a time.
 *
 * <p>Each rank goes through its peers in ascending order of {@code rank xor peer}. Both ends of a
 * connection give it the same number, and a rank gives each of its connections a different number.
 * So the open connection with the lowest number is next at both of its ends, and there is no
 * circular wait. Neighbours in a ring meet in two rounds, or three if the number of ranks is odd,
 * however many ranks there are.
 */
public final class ConnectionOrder {
  private final List<List<Integer>> peers;

  private ConnectionOrder(List<List<Integer>> peers) {
    this.peers = peers;
  }

  /**
   * The order for the requests of all ranks, by rank.
   *
   * @throws IllegalArgumentException naming the lowest pair of which only one asked for the other,
   *     or a rank that asked for itself or for one that does not exist
   */
  public static ConnectionOrder of(List<Set<Integer>> requests) {
    List<List<Integer>> peers = new ArrayList<>();
    for (int rank = 0; rank < requests.size(); rank++) {
      int self = rank;
      for (int peer : new TreeSet<>(requests.get(rank))) {
        check(requests, rank, peer);
      }
      peers.add(
          requests.get(rank).stream()
              .sorted(Comparator.comparingInt(peer -> self ^ peer))
              .toList());
    }
    return new ConnectionOrder(peers);
  }

  private static void check(List<Set<Integer>> requests, int rank, int peer) {
    if (peer < 0 || peer >= requests.size() || peer == rank) {
      throw new IllegalArgumentException(
          "no peer: rank="
              + rank
              + ", peer="
              + peer
              + ", world="
              + requests.size()
              + "; ask for other ranks of the world");
    }
    if (!requests.get(peer).contains(rank)) {
      throw new IllegalArgumentException(
          "one-sided request: rank="
              + rank
              + ", peer="
              + peer
              + ", the peer asked for="
              + requests.get(peer).size()
              + " others; let both ends ask in the same round");
    }
  }

  /** The peers of {@code rank} in the order of its meetings. */
  public List<Integer> peers(int rank) {
    return peers.get(rank);
  }

  /** The number of rounds if every rank makes at most one connection in each. */
  public int rounds() {
    int[] next = new int[peers.size()];
    List<Integer> ready = new ArrayList<>();
    for (int rank = 0; rank < peers.size(); rank++) {
      ready.add(rank);
    }
    int rounds = 0;
    while (true) {
      List<Integer> met = new ArrayList<>();
      for (int rank : ready) {
        int peer = head(next, rank);
        if (peer >= 0 && head(next, peer) == rank) {
          met.add(rank);
          met.add(peer);
        }
      }
      if (met.isEmpty()) {
        return rounds;
      }
      rounds++;
      // Only a rank that has moved on can meet anew, and only the peer that it now waits for.
      ready = met.stream().distinct().sorted().toList();
      ready.forEach(rank -> next[rank]++);
    }
  }

  private int head(int[] next, int rank) {
    List<Integer> mine = peers.get(rank);
    return next[rank] < mine.size() ? mine.get(next[rank]) : -1;
  }
}
