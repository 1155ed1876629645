package dev.oriel.domain.topology;

/** The kind of link by which one rank reaches another. */
public enum PeerKind {
  /** The rank itself. */
  SELF,
  /** Loads and stores over a GPU fabric. */
  NVLINK,
  /** Work requests through a network interface. */
  RDMA
}
