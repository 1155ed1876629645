package dev.oriel.domain.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Sorts ranks into NVLink domains without comparing all pairs.
 *
 * <p>Three steps. Ranks of equal {@link NvlinkRelation#cliqueKey} form an <em>atom</em>, a clique.
 * On hosts that hold several atoms, pairs across atoms are tested one by one: the <em>bridges</em>.
 * Then, in ascending order of its lowest rank, each atom absorbs every later atom if all ranks of
 * the two are linked; the result is a partition into cliques. Where NVLink is transitive the
 * partition is the relation itself; elsewhere a rank's neighbourhood is larger than its domain.
 * Memory is one word per rank, plus the neighbourhoods of ranks with peers outside their domain.
 */
final class NvlinkGroups {

  private final NvlinkRelation linkage;
  private final int world;
  private final int[] atomOf;
  private final List<List<Integer>> atoms = new ArrayList<>();
  private final Map<Integer, List<Integer>> bridges = new HashMap<>();

  private final int[] domainOf;
  private final List<IndexSet> domains = new ArrayList<>();

  NvlinkGroups(List<RankFacts> facts) {
    linkage = new NvlinkRelation(facts);
    world = facts.size();
    atomOf = new int[world];
    domainOf = new int[world];
    gatherAtoms();
    hosts(facts).forEach(this::gatherBridges);
    mergeAtoms();
  }

  /** The domain of each rank. */
  int[] domainOf() {
    return domainOf;
  }

  /** Disjoint cliques that hold every rank, in order of their lowest rank. */
  List<IndexSet> domains() {
    return List.copyOf(domains);
  }

  /** Each rank with its NVLINK peers; the domain itself unless some peers are outside it. */
  List<IndexSet> neighbourhoods() {
    return IntStream.range(0, world).mapToObj(this::neighbourhood).toList();
  }

  private IndexSet neighbourhood(int rank) {
    IndexSet domain = domains.get(domainOf[rank]);
    List<Integer> peers = bridges.getOrDefault(rank, List.of());
    if (peers.stream().allMatch(domain::contains)) {
      return domain;
    }
    IntStream beyond = peers.stream().mapToInt(Integer::intValue);
    return IndexSet.of(IntStream.concat(domain.stream(), beyond).toArray());
  }

  /** The ranks of each host, in order of the hosts' lowest ranks. */
  static List<int[]> hosts(List<RankFacts> facts) {
    Map<String, List<Integer>> byName = new LinkedHashMap<>();
    for (int rank = 0; rank < facts.size(); rank++) {
      byName.computeIfAbsent(facts.get(rank).host(), name -> new ArrayList<>()).add(rank);
    }
    return byName.values().stream().map(NvlinkGroups::toArray).toList();
  }

  private void gatherAtoms() {
    Map<Object, Integer> atomByKey = new HashMap<>();
    for (int rank = 0; rank < world; rank++) {
      int atom = atomByKey.computeIfAbsent(linkage.cliqueKey(rank), key -> atomByKey.size());
      if (atom == atoms.size()) {
        atoms.add(new ArrayList<>());
      }
      atoms.get(atom).add(rank);
      atomOf[rank] = atom;
    }
  }

  private void gatherBridges(int[] host) {
    if (Arrays.stream(host).allMatch(rank -> atomOf[rank] == atomOf[host[0]])) {
      return;
    }
    for (int a : host) {
      for (int b : host) {
        if (atomOf[a] != atomOf[b] && linkage.linked(a, b)) {
          bridges.computeIfAbsent(a, rank -> new ArrayList<>()).add(b);
        }
      }
    }
  }

  private void mergeAtoms() {
    boolean[] taken = new boolean[atoms.size()];
    for (int atom = 0; atom < taken.length; atom++) {
      if (!taken[atom]) {
        taken[atom] = true;
        List<Integer> domain = new ArrayList<>(atoms.get(atom));
        bridges.getOrDefault(domain.get(0), List.of()).stream()
            .mapToInt(peer -> atomOf[peer])
            .sorted()
            .distinct()
            .filter(other -> !taken[other] && allLinked(domain, atoms.get(other)))
            .forEach(other -> {
              taken[other] = true;
              domain.addAll(atoms.get(other));
            });
        domain.forEach(rank -> domainOf[rank] = domains.size());
        domains.add(IndexSet.of(toArray(domain)));
      }
    }
  }

  private boolean allLinked(List<Integer> ones, List<Integer> others) {
    return ones.stream().allMatch(a -> others.stream().allMatch(b -> linkage.linked(a, b)));
  }

  private static int[] toArray(List<Integer> ranks) {
    return ranks.stream().mapToInt(Integer::intValue).toArray();
  }
}
