package dev.oriel.ibverbs.run;

import dev.oriel.bootstrap.InProcessBootstrap;
import dev.oriel.domain.topology.Topology;
import dev.oriel.ibverbs.verbs.DeviceContext;
import dev.oriel.ports.Executor;
import dev.oriel.ports.FabricListener;
import dev.oriel.ports.contract.OneSidedContract;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** One-sided calls of executors on one device, with an executor for each rank. */
public abstract class VerbsOneSidedContract extends OneSidedContract {

  /** Open devices for a rank. */
  protected abstract List<DeviceContext> devices(int rank);

  @Override
  protected Topology topology(int world) {
    return Topology.grid(world, 1);
  }

  @Override
  protected List<Executor> open(Topology topology, FabricListener listener) {
    return InProcessBootstrap.group(topology.world(), Duration.ofSeconds(40)).stream()
        .map(ranks -> TestExecutors.joined(devices(ranks.rank()), ranks, listener))
        .collect(Collectors.toUnmodifiableList());
  }
}
