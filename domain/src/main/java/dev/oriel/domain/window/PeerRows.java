package dev.oriel.domain.window;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;

/** The rows of peers in one owner's slot memories; ascending by rank, without the owner. */
final class PeerRows {

  private final WindowSpec spec;
  private final Topology topology;
  private final int owner;

  PeerRows(WindowSpec spec, Topology topology, int owner) {
    this.spec = spec;
    this.topology = topology;
    this.owner = owner;
  }

  /** The number of peers that have a row in {@code memory}. */
  int count(SlotMemory memory) {
    if (memory == SlotMemory.NVLINK) {
      return topology.neighbourhood(owner).size() - 1;
    }
    return everyPeer() ? topology.world() - 1 : topology.rdmaPeerCount(owner);
  }

  /** The row of {@code peer}. */
  int rowOf(SlotMemory memory, int peer) {
    if (memory == SlotMemory.NVLINK) {
      int index = topology.nvlinkIndex(owner, peer);
      return peer < owner ? index : index - 1;
    }
    return everyPeer() ? topology.peerIndex(owner, peer) : topology.rdmaIndex(owner, peer);
  }

  /** The peer that has {@code row}. */
  int peerOf(SlotMemory memory, int row) {
    if (memory == SlotMemory.NVLINK) {
      int before = topology.nvlinkIndex(owner, owner);
      return topology.neighbourhood(owner).get(row < before ? row : row + 1);
    }
    if (everyPeer()) {
      return row < owner ? row : row + 1;
    }
    return topology.rdmaPeer(owner, row);
  }

  /** The memory into which {@code peer} writes over {@code transport}. */
  SlotMemory memoryFor(int peer, PeerKind transport) {
    PeerKind kind = topology.kind(owner, peer);
    boolean alsoByRdma = transport == PeerKind.RDMA && everyPeer();
    if (kind == PeerKind.SELF || (transport != kind && !alsoByRdma)) {
      throw new IllegalArgumentException(
          "no row for this peer: window="
              + spec.name()
              + ", owner="
              + owner
              + ", peer="
              + peer
              + ", kind="
              + kind
              + ", transport="
              + transport
              + ", rdmaRows="
              + spec.rdmaRows()
              + "; name a peer, and a transport that joins the two");
    }
    return transport == PeerKind.NVLINK ? SlotMemory.NVLINK : SlotMemory.RDMA;
  }

  private boolean everyPeer() {
    return spec.rdmaRows() == RdmaRows.EVERY_PEER;
  }
}
