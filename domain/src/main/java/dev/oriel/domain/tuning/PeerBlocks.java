package dev.oriel.domain.tuning;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The blocks with which a rank serves its peers if it reaches some over NVLink and some over
 * InfiniBand.
 *
 * <p>A launch has one number of blocks and one of warps: the larger of both rows. Chunks are always
 * those of NVLink. The peer's own row says how many blocks take part for it; since links are the
 * same in both directions, both ends of a pair use the same number.
 *
 * @param setting of the launch; its blocks are as many as any peer has
 * @param each blocks of every peer in the order of {@link Topology#peerIndex}, only if peers
 *     differ; otherwise empty
 */
public record PeerBlocks(PeerResources setting, List<Integer> each) {

  public PeerBlocks {
    each = List.copyOf(each);
  }

  /** The blocks of {@code rank} for its peers, with that many bytes for each. */
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
    PeerResources both = launch(bytes, Math.max(nvlink, infiniband));
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
   * One setting for every rank of a world: the most blocks and warps of any rank. Facts that ranks
   * must agree on may depend on this setting, but not on that of a single rank.
   */
  public static PeerResources everywhere(Topology topology, long bytes) {
    Set<PeerKind> kinds = topology.kinds();
    PeerResources nvlink = BlockTable.NVLINK.at(bytes);
    if (!kinds.contains(PeerKind.RDMA)) {
      return nvlink;
    }
    int infiniband = BlockTable.INFINIBAND.at(bytes).blocks();
    return launch(
        bytes,
        kinds.contains(PeerKind.NVLINK) ? Math.max(nvlink.blocks(), infiniband) : infiniband);
  }

  /** The number of blocks that take part for a peer, by its {@link Topology#peerIndex}. */
  public int blocks(int peerIndex) {
    return each.isEmpty() ? setting.blocks() : each.get(peerIndex);
  }

  private static PeerResources launch(long bytes, int blocks) {
    PeerResources nvlink = BlockTable.NVLINK.at(bytes);
    int warps = Math.max(nvlink.warps(), BlockTable.INFINIBAND.at(bytes).warps());
    return new PeerResources(blocks, warps, nvlink.chunk());
  }
}
