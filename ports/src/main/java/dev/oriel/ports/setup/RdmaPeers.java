package dev.oriel.ports.setup;

import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.Team;
import dev.oriel.ports.MachineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The peers that each rank reaches over RDMA through a window.
 *
 * @param rank the own rank
 * @param peers by rank
 */
public record RdmaPeers(String window, Topology topology, int rank, List<Set<Integer>> peers) {

  /** A window through which all ranks reach each other. */
  public static RdmaPeers all(String window, Topology topology, int rank) {
    Team all = Team.all(topology.world());
    return new RdmaPeers(
        window, topology, rank, all.stream().mapToObj(r -> parse(text(topology, r, all))).toList());
  }

  /** The RDMA peers among {@code peers}, and ranks that do not exist, as text. */
  static String text(Topology topology, int rank, Team peers) {
    List<String> far = new ArrayList<>();
    peers.stream()
        .filter(peer -> peer >= topology.world() || topology.kind(rank, peer) == PeerKind.RDMA)
        .forEach(peer -> far.add(Integer.toString(peer)));
    return String.join(",", far);
  }

  static Set<Integer> parse(String text) {
    Set<Integer> peers = new TreeSet<>();
    for (String peer : text.isEmpty() ? new String[0] : text.split(",")) {
      peers.add(Integer.valueOf(peer));
    }
    return peers;
  }

  /**
   * The order in which ranks connect that are not connected yet.
   *
   * @param connected by rank, the peers that it is connected with; equal on all ranks
   */
  public ConnectionOrder order(List<Set<Integer>> connected) {
    List<Set<Integer>> asked = new ArrayList<>();
    for (int r = 0; r < peers.size(); r++) {
      Set<Integer> anew = new TreeSet<>(peers.get(r));
      anew.removeAll(connected.get(r));
      asked.add(anew);
    }
    return ConnectionOrder.of(asked);
  }

  /** Whether this rank reaches that peer through the window. */
  public boolean leadsTo(int peer) {
    return topology.kind(rank, peer) != PeerKind.RDMA || peers.get(rank).contains(peer);
  }

  /** Throws if the window does not reach that peer. */
  public void require(int peer) {
    if (!leadsTo(peer)) {
      throw new MachineException(
          "not connected: window=%s, rank=%d, peer=%d, connected=%s; name each other when the window is made"
              .formatted(window, rank, peer, peers.get(rank)));
    }
  }

  /** Whether that rank's memory is mapped; the own memory is. */
  public boolean mapped(int peer) {
    return topology.kind(rank, peer) != PeerKind.RDMA;
  }

  /** Throws if the peer is reached through a network interface. */
  public void requireMapped(int peer) {
    if (!mapped(peer)) {
      throw new MachineException(
          "packets want a mapped link: window=%s, rank=%d, peer=%d; put plain bytes and signal"
              .formatted(window, rank, peer));
    }
  }
}
