package dev.oriel.sim.sequential;

import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.RdmaPeers;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The RDMA connections of the ranks of a world. The two ends connect when a window first needs the
 * connection. Every rank makes its connections in an order that all ranks know.
 */
final class RankConnections {
  private final SequentialFabric own;
  private final int rank;
  private final List<byte[]> offers;
  private final Supplier<Deadline> deadline;

  /** By rank. Every rank receives the requests of all, so each knows all connections. */
  private final List<Set<Integer>> connected;

  private long rounds;

  /**
   * Begins without connections.
   *
   * @param offers the offer of each rank to this one
   */
  RankConnections(
      SequentialFabric own, int rank, List<byte[]> offers, Supplier<Deadline> deadline) {
    this.own = own;
    this.rank = rank;
    this.offers = offers;
    this.deadline = deadline;
    this.connected = Stream.<Set<Integer>>generate(TreeSet::new).limit(offers.size()).toList();
  }

  /** Connects to the ranks that this rank reaches, except those already connected. */
  void connect(RdmaPeers reached) {
    ConnectionOrder order = reached.order(connected);
    long round = 0;
    for (int peer : order.peers(rank)) {
      try {
        round = own.meet(own.peerOf(offers.get(peer)), round + 1, deadline.get());
      } catch (TimeoutException e) {
        throw new MachineException(
            "peer did not come to connect: rank=%d, peer=%d, order=%s; see what it waits for"
                .formatted(rank, peer, order.peers(rank)),
            e);
      }
      own.connect(peer, offers.get(peer));
    }
    rounds += round;
    for (int other = 0; other < connected.size(); other++) {
      connected.get(other).addAll(order.peers(other));
    }
  }

  /** The ranks to which this rank is connected. */
  Set<Integer> peers() {
    return Set.copyOf(connected.get(rank));
  }

  /** The number of consecutive connection rounds that this rank has completed. */
  long rounds() {
    return rounds;
  }
}
