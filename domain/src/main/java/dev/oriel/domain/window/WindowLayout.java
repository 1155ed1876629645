package dev.oriel.domain.window;

import dev.oriel.domain.topology.Topology;

/**
 * Where every slot of a window lies on every rank: a pure function of the specification and the
 * topology, so that a sender computes exactly what the owner does.
 *
 * <p>Nothing can be asked without saying whose memory is meant: {@code layout.owner(peer)
 * .signalSlot(self, id)} is where this rank signals the peer, {@code layout.owner(self)
 * .signalSlot(peer, id)} where the peer signals this rank.
 */
public final class WindowLayout {

  private final WindowSpec spec;
  private final Topology topology;

  private WindowLayout(WindowSpec spec, Topology topology) {
    this.spec = spec;
    this.topology = topology;
  }

  /** The layout of {@code spec} over the ranks of {@code topology}. */
  public static WindowLayout of(WindowSpec spec, Topology topology) {
    if (!spec.data().fits(topology.world())) {
      throw new IllegalArgumentException(
          "data sizes for another world: window="
              + spec.name()
              + ", world="
              + topology.world()
              + ", sizes="
              + spec.data()
              + "; give one size for each rank, or one for all");
    }
    return new WindowLayout(spec, topology);
  }

  /** The specification that was laid out. */
  public WindowSpec spec() {
    return spec;
  }

  /** The ranks it was laid out over. */
  public Topology topology() {
    return topology;
  }

  /** The memory of {@code rank}. */
  public OwnerLayout owner(int rank) {
    Bounds.index("rank", rank, topology.world());
    return new OwnerLayout(spec, topology, rank);
  }
}
