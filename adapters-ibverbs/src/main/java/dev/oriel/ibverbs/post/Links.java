package dev.oriel.ibverbs.post;

import dev.oriel.domain.topology.PeerKind;

/** Over which kind of link one rank reaches another. */
@FunctionalInterface
public interface Links {
  /** Every other rank is behind the network. */
  Links ALL_RDMA = (rank, peer) -> rank == peer ? PeerKind.SELF : PeerKind.RDMA;

  /** The kind of link; a rank reaches itself as {@link PeerKind#SELF}. */
  PeerKind kind(int rank, int peer);
}
