package dev.oriel.domain.topology;

import java.util.List;
import java.util.Optional;

/**
 * Decides whether two ranks are NVLINK peers. The relation is symmetric by construction, since
 * every clause treats both sides alike.
 *
 * <p>Two ranks are NVLINK peers if neither side has disabled it, both name the same set of allowed
 * ranks, and one of these holds:
 *
 * <ul>
 *   <li>the fabric joins them: their usable fabric facts are equal, on any hosts;
 *   <li>they share a host, and both report access to the other's device.
 * </ul>
 */
final class NvlinkRelation {

  private final List<RankFacts> facts;

  NvlinkRelation(List<RankFacts> facts) {
    this.facts = facts;
  }

  /** Whether two different ranks are NVLINK peers. */
  boolean linked(int a, int b) {
    RankFacts one = facts.get(a);
    RankFacts two = facts.get(b);
    return !one.settings().p2pDisabled()
        && !two.settings().p2pDisabled()
        && allowed(one).equals(allowed(two))
        && (sameFabric(one, two) || mutualAccess(one, two));
  }

  /**
   * A key that puts a rank into a clique without comparing pairs: ranks with equal keys are all
   * NVLINK peers of one another. Equal reach on one host is enough, because a device is in its own
   * reach and therefore in that of all ranks with the same key.
   */
  Object cliqueKey(int rank) {
    RankFacts own = facts.get(rank);
    if (own.settings().p2pDisabled()) {
      return new Alone(rank);
    }
    return own.usableFabric()
        .<Object>map(fabric -> new OnFabric(fabric.cluster(), fabric.clique(), allowed(own)))
        .orElseGet(() -> new OnHost(own.host(), own.reachable(), allowed(own)));
  }

  /** The declared set; a set of the whole world is the same as none. */
  private Optional<IndexSet> allowed(RankFacts own) {
    return own.settings().nvlinkSet().filter(set -> set.size() < facts.size());
  }

  private static boolean sameFabric(RankFacts one, RankFacts two) {
    return one.usableFabric().isPresent() && one.usableFabric().equals(two.usableFabric());
  }

  private static boolean mutualAccess(RankFacts one, RankFacts two) {
    return one.host().equals(two.host())
        && one.reachable().contains(two.device())
        && two.reachable().contains(one.device());
  }

  private record Alone(int rank) {}

  private record OnFabric(ClusterId cluster, int clique, Optional<IndexSet> allowed) {}

  private record OnHost(String host, IndexSet reachable, Optional<IndexSet> allowed) {}
}
