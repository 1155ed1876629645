package dev.oriel.domain.topology;

/** How one rank reaches another. */
public enum PeerKind {
  /** The rank itself. */
  SELF,
  /** Loads and stores over a GPU fabric. */
  NVLINK,
  /** Work requests through a network interface. */
  RDMA
}
