package dev.oriel.sim.sequential;

import dev.oriel.domain.topology.PeerKind;
import dev.oriel.domain.topology.RankFacts;
import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.topology.WorldShape;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Clock;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.Deadline;
import dev.oriel.ports.Fabric;
import dev.oriel.ports.setup.AbortState;
import dev.oriel.ports.setup.StepAgreement;
import dev.oriel.ports.setup.UndoStack;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins ranks that are threads of this process; all of them must join through the same factory.
 *
 * <p>It takes the steps of every machine. Each rank opens its fabric, ranks exchange offers, and
 * each connects to those on a mapped link. After each step that can fail on one rank, all ranks
 * agree on its result. An RDMA connection is made when a window first needs it.
 */
final class SequentialCommunicators implements Communicator.Factory {
  private static final long UNLIMITED = Long.MAX_VALUE;

  private final SequentialWire wire;
  private final Clock clock;
  private final Fabrics fabrics;

  /** Opens the fabric of a rank. */
  @FunctionalInterface
  interface Fabrics {
    SequentialFabric open(SequentialWire wire, int rank, int world);
  }

  /** Ranks that behave like GPUs of one host, joined by NVLink. */
  SequentialCommunicators(Clock clock) {
    this(
        new SequentialWire(),
        clock,
        (wire, rank, world) -> fabric(wire, new WorldShape(1, world).facts().get(rank)));
  }

  /** Ranks that behave like those of {@code topology}; as many ranks must join as it has. */
  SequentialCommunicators(Clock clock, Topology topology) {
    this(new SequentialWire(), clock, (wire, rank, world) -> fabric(wire, topology.facts(rank)));
  }

  SequentialCommunicators(SequentialWire wire, Clock clock, Fabrics fabrics) {
    this.wire = wire;
    this.clock = clock;
    this.fabrics = fabrics;
  }

  private static SequentialFabric fabric(SequentialWire wire, RankFacts facts) {
    return new SequentialFabric(wire, facts, UNLIMITED);
  }

  @Override
  public Communicator join(Bootstrap ranks) {
    int rank = ranks.rank();
    int world = ranks.world();
    UndoStack undo = new UndoStack();
    try {
      SequentialFabric fabric =
          StepAgreement.all(
              ranks,
              "join: open the fabric",
              () -> {
                SequentialFabric own = fabrics.open(wire, rank, world);
                undo.add(own::close);
                return own;
              });
      List<byte[]> offers = ranks.allGather("join: exchange offers", offers(fabric, world));
      Topology topology =
          StepAgreement.all(ranks, "join: connect", () -> connect(fabric, rank, world, offers));
      AbortState fate = fate(fabric, rank, offers);
      ranks.barrier("join: connected");
      RankConnections connections =
          new RankConnections(
              fabric,
              rank,
              offers.stream().map(theirs -> offer(theirs, rank)).toList(),
              () -> Deadline.in(ranks.deadline(), clock));
      return new SequentialCommunicator(ranks, fabric, connections, topology, wire, fate, clock);
    } catch (RuntimeException e) {
      undo.because(e);
      throw e;
    }
  }

  /** The abort state of a world is with the fabric of rank 0, where all ranks find it. */
  private static AbortState fate(SequentialFabric fabric, int rank, List<byte[]> offers) {
    return fabric.peerOf(offer(offers.getFirst(), rank)).fate();
  }

  /** The offer of one rank to that one. */
  private static byte[] offer(byte[] offers, int rank) {
    byte[] offer = new byte[WireName.BYTES];
    ByteBuffer.wrap(offers).get(rank * WireName.BYTES, offer);
    return offer;
  }

  private static byte[] offers(Fabric fabric, int world) {
    ByteBuffer offers = ByteBuffer.allocate(world * WireName.BYTES);
    for (int peer = 0; peer < world; peer++) {
      offers.put(fabric.offer(peer));
    }
    return offers.array();
  }

  /** Facts are not exchanged: an offer leads to the fabric that has them. */
  private static Topology connect(
      SequentialFabric fabric, int rank, int world, List<byte[]> offers) {
    List<RankFacts> facts = new ArrayList<>();
    for (int peer = 0; peer < world; peer++) {
      facts.add(fabric.peerOf(offer(offers.get(peer), rank)).facts());
    }
    Topology topology = Topology.of(facts);
    for (int peer = 0; peer < world; peer++) {
      if (topology.kind(rank, peer) != PeerKind.RDMA) {
        fabric.connect(peer, offer(offers.get(peer), rank));
      }
    }
    return topology;
  }
}
