package dev.oriel.cuda;

import dev.oriel.cuda.ptx.PtxKernel;
import dev.oriel.domain.binding.Program;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.WorldSizeCheck;

/** Refuses worlds in which a rank cannot reach another's memory. */
final class PeerReachCheck {
  private PeerReachCheck() {}

  /**
   * Checks that program, topology and this machine fit each other.
   *
   * @param outside whether there is a network for peers that are not on NVLink
   */
  static void require(Program program, Topology topology, boolean outside) {
    WorldSizeCheck.require(program, topology);
    int world = program.world();
    if (world > PtxKernel.MAX_WORLD) {
      throw new MachineException(
          "world too large for one host: ranks=%d, max=%d; use a smaller world"
              .formatted(world, PtxKernel.MAX_WORLD));
    }
    for (int from = 0; from < world; from++) {
      for (int to = 0; to < world; to++) {
        if (!outside && from != to && topology.kind(from, to) != PeerKind.NVLINK) {
          throw new MachineException(
              "peer is not on NVLink: from=%d, to=%d, kind=%s; give a network, or use NVLINK peers only"
                  .formatted(from, to, topology.kind(from, to)));
        }
      }
    }
  }
}
