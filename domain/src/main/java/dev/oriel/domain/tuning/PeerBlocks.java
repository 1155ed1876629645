package dev.oriel.domain.tuning;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How a rank serves its peers where some are reached over NVLink and some over InfiniBand.
 *
 * <p>What a launch has only once is the larger of both rows: blocks and warps. Chunks are those of
 * NVLink in any case. Blocks take part or stand by per peer, as the peer's own row says; since
 * links are the same in both directions, both ends of a pair count the same ones.
 *
 * @param setting of the launch; its blocks are as many as any peer has
 * @param each blocks of every peer in the order of {@link Topology#peerIndex}, only where peers
 *     differ; empty where they do not
 */
public record PeerBlocks(Setting setting, List<Integer> each) {

  public PeerBlocks {
    each = List.copyOf(each);
  }

  /** How {@code rank} serves its peers, with so many bytes for each. */
  public static PeerBlocks of(Topology topology, int rank, long bytes) {
    int far = topology.rdmaPeerCount(rank);
    if (far == 0) {
      return new PeerBlocks(BlockTable.NVLINK.at(bytes), List.of());
    }
    int nvlink = BlockTable.NVLINK.at(bytes).blocks();
    int infiniband = BlockTable.INFINIBAND.at(bytes).blocks();
    if (far == topology.world() - 1) {
      return new PeerBlocks(launch(bytes, infiniband), List.of());
    }
    Setting both = launch(bytes, Math.max(nvlink, infiniband));
    if (nvlink == infiniband) {
      return new PeerBlocks(both, List.of());
    }
    return new PeerBlocks(
        both,
        IntStream.range(0, topology.world())
            .filter(peer -> peer != rank)
            .mapToObj(peer -> topology.kind(rank, peer) == PeerKind.NVLINK ? nvlink : infiniband)
            .toList());
  }

  /**
   * One setting for every rank of a world: blocks and warps as many as any of its ranks has. What
   * ranks must agree on may depend on this one, and not on that of a single rank.
   */
  public static Setting everywhere(Topology topology, long bytes) {
    Set<PeerKind> kinds = topology.kinds();
    Setting nvlink = BlockTable.NVLINK.at(bytes);
    if (!kinds.contains(PeerKind.RDMA)) {
      return nvlink;
    }
    int infiniband = BlockTable.INFINIBAND.at(bytes).blocks();
    return launch(
        bytes,
        kinds.contains(PeerKind.NVLINK) ? Math.max(nvlink.blocks(), infiniband) : infiniband);
  }

  /** The blocks that take part for a peer, by its {@link Topology#peerIndex}. */
  public int blocks(int peerIndex) {
    return each.isEmpty() ? setting.blocks() : each.get(peerIndex);
  }

  private static Setting launch(long bytes, int blocks) {
    Setting nvlink = BlockTable.NVLINK.at(bytes);
    int warps = Math.max(nvlink.warps(), BlockTable.INFINIBAND.at(bytes).warps());
    return new Setting(blocks, warps, nvlink.chunk());
  }
}
