package dev.oriel.sim.sequential;

import dev.oriel.domain.connection.ConnectionOrder;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.setup.Reached;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Whom the ranks of a world are connected with over RDMA. Both ends of a connection meet when a
 * window first needs it; every rank goes through its meetings in the order that all know.
 */
final class Connections {
  private final SequentialFabric own;
  private final int rank;
  private final List<byte[]> offers;
  private final Supplier<Deadline> patience;

  /** By rank: all hear what everybody asks for, so each knows of all. */
  private final List<Set<Integer>> connected;

  private long rounds;

  /**
   * Nobody is connected yet.
   *
   * @param offers what each rank offered to this one
   */
  Connections(SequentialFabric own, int rank, List<byte[]> offers, Supplier<Deadline> patience) {
    this.own = own;
    this.rank = rank;
    this.offers = offers;
    this.patience = patience;
    this.connected = Stream.<Set<Integer>>generate(TreeSet::new).limit(offers.size()).toList();
  }

  /** Connects with whom this rank reaches and is not connected with yet. */
  void connect(Reached reached) {
    ConnectionOrder order = reached.order(connected);
    long round = 0;
    for (int peer : order.peers(rank)) {
      try {
        round = own.meet(own.peerOf(offers.get(peer)), round + 1, patience.get());
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

  /** Whom this rank is connected with. */
  Set<Integer> peers() {
    return Set.copyOf(connected.get(rank));
  }

  /** How many rounds of meetings this rank has come through, one after another. */
  long rounds() {
    return rounds;
  }
}
