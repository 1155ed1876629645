package dev.oriel.domain.window;

/** The peers that have rows in the RDMA half of a window. */
public enum RdmaRows {
  /** Peers without NVLink; a pair of ranks has one transport. */
  RDMA_PEERS,
  /** Every peer, so that a program may also reach an NVLINK peer through the network. */
  EVERY_PEER
}
