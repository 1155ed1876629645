package dev.oriel.sim.ranks;

import dev.oriel.domain.topology.Topology;
import dev.oriel.domain.window.WindowSpec;
import dev.oriel.ports.Bootstrap;
import dev.oriel.ports.Communicator;
import dev.oriel.ports.MachineException;
import dev.oriel.ports.Window;
import dev.oriel.ports.setup.RdmaPeers;

/** Joins one rank of an execution, as often as its code asks. */
final class RankCommunicators implements Communicator.Factory {
  private final RankLane lane;
  private final Topology topology;

  RankCommunicators(RankLane lane, Topology topology) {
    this.lane = lane;
    this.topology = topology;
  }

  @Override
  public Communicator join(Bootstrap ranks) {
    if (ranks.world() != lane.world || ranks.rank() != lane.rank) {
      throw new MachineException(
          "bootstrap of another world: rank=%d of %d, expected=%d of %d; pass the one that the code was given"
              .formatted(ranks.rank(), ranks.world(), lane.rank, lane.world));
    }
    RankGroup group = new RankGroup(lane, lane.nextGroup());
    ranks.barrier("communicator " + group.number() + ": join");
    return new RankCommunicator(group, topology, ranks);
  }

  /** A window at the beginning of the arena, which every rank has without a collective call. */
  Window given(WindowSpec spec) {
    RankGroup group = new RankGroup(lane, lane.nextGroup());
    WindowPlacement place =
        new WindowPlacement("", 1, new long[lane.world], new ArenaAllocator.Ids(0, 0, 0));
    RankBootstrap ranks = new RankBootstrap(lane, WindowForm.TIMEOUT);
    return new RankWindow(
        new RankWindowState(
            spec, place, RdmaPeers.all(spec.name(), topology, lane.rank), ranks, () -> {}),
        group);
  }
}
