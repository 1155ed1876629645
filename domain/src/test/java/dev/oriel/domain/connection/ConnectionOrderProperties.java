package dev.oriel.domain.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/**
 * Pairwise meetings, made by whichever ranks come first, always end, in the stated number of
 * rounds.
 */
class ConnectionOrderProperties {

  private static List<Set<Integer>> nobody(int world) {
    return Stream.<Set<Integer>>generate(TreeSet::new).limit(world).toList();
  }

  private static void join(List<Set<Integer>> requests, int a, int b) {
    if (a != b) {
      requests.get(a).add(b);
      requests.get(b).add(a);
    }
  }

  private static List<Set<Integer>> ring(int world) {
    List<Set<Integer>> requests = nobody(world);
    IntStream.range(0, world).forEach(r -> join(requests, r, (r + 1) % world));
    return requests;
  }

  /**
   * Lets ranks arrive at their connections one at a time, in any order. Returns the number of
   * connections, and the length of the longest chain of connections that wait for each other.
   */
  private static int[] meet(List<List<Integer>> orders, Random random) {
    int[] next = new int[orders.size()];
    int[] round = new int[orders.size()];
    int meetings = 0;
    int longest = 0;
    while (true) {
      List<int[]> possible = new ArrayList<>();
      for (int rank = 0; rank < orders.size(); rank++) {
        int peer = head(orders, next, rank);
        if (peer > rank && head(orders, next, peer) == rank) {
          possible.add(new int[] {rank, peer});
        }
      }
      if (possible.isEmpty()) {
        return new int[] {meetings, longest};
      }
      int[] pair = possible.get(random.nextInt(possible.size()));
      int at = Math.max(round[pair[0]], round[pair[1]]) + 1;
      longest = Math.max(longest, at);
      for (int rank : pair) {
        round[rank] = at;
        next[rank]++;
      }
      meetings++;
    }
  }

  private static int head(List<List<Integer>> orders, int[] next, int rank) {
    return next[rank] < orders.get(rank).size() ? orders.get(rank).get(next[rank]) : -1;
  }

  private static List<List<Integer>> orders(List<Set<Integer>> requests, IntBinaryOperator key) {
    return IntStream.range(0, requests.size())
        .mapToObj(rank ->
            requests.get(rank).stream()
                .sorted(Comparator.comparingInt(peer -> key.applyAsInt(rank, peer)))
                .toList())
        .toList();
  }

  @Property(tries = 300)
  void everyConnectionIsMadeInAnyOrderOfArrival(
      @ForAll @IntRange(min = 1, max = 24) int world,
      @ForAll @DoubleRange(min = 0, max = 1) double density,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<Set<Integer>> requests = nobody(world);
    for (int a = 0; a < world; a++) {
      for (int b = 0; b < a; b++) {
        if (random.nextDouble() < density) {
          join(requests, a, b);
        }
      }
    }
    ConnectionOrder order = ConnectionOrder.of(requests);
    List<List<Integer>> mine = IntStream.range(0, world).mapToObj(order::peers).toList();
    int edges = requests.stream().mapToInt(Set::size).sum() / 2;
    int[] met = meet(mine, random);
    assertThat(met[0]).isEqualTo(edges);
    assertThat(order.rounds()).isEqualTo(met[1]);
    assertThat(order.rounds())
        .isBetween(requests.stream().mapToInt(Set::size).max().orElse(0), edges);
    for (int rank = 0; rank < world; rank++) {
      assertThat(order.peers(rank)).containsExactlyInAnyOrderElementsOf(requests.get(rank));
    }
  }

  @Example
  void aRingOfAnySizeTakesTwoRoundsOrThree() {
    assertThat(ConnectionOrder.of(ring(4096)).rounds()).isEqualTo(2);
    assertThat(ConnectionOrder.of(ring(644)).rounds()).isEqualTo(2);
    assertThat(ConnectionOrder.of(ring(645)).rounds()).isEqualTo(3);
    assertThat(ConnectionOrder.of(ring(2)).rounds()).isEqualTo(1);
    assertThat(ConnectionOrder.of(ring(1)).rounds()).isZero();
  }

  @Example
  void aCliqueNeedsOneRoundPerPeer() {
    List<Set<Integer>> clique = nobody(256);
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < a; b++) {
        join(clique, a, b);
      }
    }
    assertThat(ConnectionOrder.of(clique).rounds()).isEqualTo(255);
  }

  /**
   * In rank order the ring connects one pair at a time; with successors first, no pair ever meets.
   */
  @Example
  void otherOrdersAreSlowOrStuck() {
    List<Set<Integer>> ring = ring(64);
    int[] ascending = meet(orders(ring, (rank, peer) -> peer), new Random(1));
    assertThat(ascending).containsExactly(64, 63);
    int[] forwards =
        meet(orders(ring, (rank, peer) -> Math.floorMod(peer - rank, 64)), new Random(1));
    assertThat(forwards).containsExactly(0, 0);
  }

  @Example
  void requestsOfOneSideAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConnectionOrder.of(List.of(Set.of(1), Set.of(0), Set.of(1))))
        .withMessageContainingAll("rank=2", "peer=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConnectionOrder.of(List.of(Set.of(0))))
        .withMessageContaining("rank=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConnectionOrder.of(List.of(Set.of(7))))
        .withMessageContaining("peer=7");
  }
}
