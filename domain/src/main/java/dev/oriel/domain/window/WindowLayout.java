package dev.oriel.domain.window;

import dev.oriel.domain.topology.Topology;

/**
 * The place of every slot of a window on every rank: a pure function of the specification and the
 * topology, so a sender computes the same places as the owner.
 *
 * <p>Every query names the owner of the memory: {@code layout.owner(peer) .signalSlot(self, id)} is
 * the slot in which this rank signals the peer, {@code layout.owner(self).signalSlot(peer, id)} the
 * one in which the peer signals this rank.
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
    IndexChecks.index("rank", rank, topology.world());
    return new OwnerLayout(spec, topology, rank);
  }
}
