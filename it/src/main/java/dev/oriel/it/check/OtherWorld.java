package dev.oriel.it.check;

import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.sim.engine.EngineRequirements;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A world with as many ranks and with the links that another lacks, in which a program can be
 * bound.
 */
final class OtherWorld {
  private OtherWorld() {}

  /**
   * The first such world for which the program can be bound and lowered; empty if no link is
   * missing.
   */
  static Optional<String> of(CheckCoverage coverage, Function<Topology, Program> bind) {
    return candidates(coverage.ranks(), coverage.links()).stream()
        .filter(world -> fits(world, bind))
        .findFirst();
  }

  private static List<String> candidates(int ranks, Set<PeerKind> links) {
    if (ranks == 1) {
      return List.of("1x2", "2x1");
    }
    if (!links.contains(PeerKind.RDMA)) {
      String apart = ranks + "x1";
      return ranks > 2 && ranks % 2 == 0 ? List.of("2x" + ranks / 2, apart) : List.of(apart);
    }
    return links.contains(PeerKind.NVLINK) ? List.of() : List.of("1x" + ranks);
  }

  private static boolean fits(String world, Function<Topology, Program> bind) {
    try {
      Topology topology = Topology.parse(world);
      boolean mapped =
          EngineRequirements.lower(bind.apply(topology), topology, topology.kinds())
              .wantsMappedMemory();
      return !mapped || !topology.kinds().contains(PeerKind.RDMA);
    } catch (IllegalArgumentException | MachineException refused) {
      return false;
    }
  }
}
