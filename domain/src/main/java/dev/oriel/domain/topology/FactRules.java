package dev.oriel.domain.topology;

import java.util.List;
import java.util.Optional;

/**
 * The rules for every rank's facts before and after classification; an error names the lowest rank
 * at fault.
 */
final class FactRules {

  private FactRules() {}

  static void checkFacts(List<RankFacts> facts) {
    int world = facts.size();
    if (world == 0 || world > Topology.MAX_WORLD) {
      throw new IllegalArgumentException(
          "bad world: ranks=" + world + "; use 1 to " + Topology.MAX_WORLD + " ranks");
    }
    for (int rank = 0; rank < world; rank++) {
      checkFabric(rank, facts.get(rank));
      checkNvlinkSet(rank, facts.get(rank).settings().nvlinkSet(), world);
    }
  }

  private static void checkFabric(int rank, RankFacts own) {
    if (own.settings().fabricMode() == FabricMode.ENABLED && own.usableFabric().isEmpty()) {
      throw new TopologyException(
          rank,
          "fabric missing: rank="
              + rank
              + ", host="
              + own.host()
              + ", device="
              + own.device()
              + ", mode=ENABLED, fabric="
              + own.fabric().map(FabricFacts::toString).orElse("none")
              + "; use mode AUTO or join the host to the fabric");
    }
  }

  private static void checkNvlinkSet(int rank, Optional<IndexSet> declared, int world) {
    if (declared.isEmpty()) {
      return;
    }
    IndexSet set = declared.get();
    if (!set.contains(rank)) {
      throw new TopologyException(
          rank,
          "NVLink set without its own rank: rank="
              + rank
              + ", set="
              + set
              + "; declare a set that holds the rank itself");
    }
    if (set.get(set.size() - 1) >= world) {
      throw new TopologyException(
          rank,
          "NVLink set out of range: rank="
              + rank
              + ", set="
              + set
              + ", world="
              + world
              + "; use ranks below "
              + world);
    }
  }

  static void checkRdmaAllowed(List<RankFacts> facts, Topology topology) {
    for (int rank = 0; rank < facts.size(); rank++) {
      if (facts.get(rank).settings().rdmaDisabled() && topology.rdmaPeerCount(rank) > 0) {
        throw new TopologyException(
            rank,
            "peer without NVLink while RDMA is disabled: rank="
                + rank
                + ", peer="
                + topology.rdmaPeer(rank, 0)
                + ", nvlink="
                + topology.neighbourhood(rank)
                + "; allow RDMA or leave the peer out");
      }
    }
  }
}
